package io.strowger.core.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests slices from the store and returns unused ones. There is at most one request at a time
 * for each slice, and none is made under a lock.
 */
final class Leases {
  private static final Logger log = LoggerFactory.getLogger(Leases.class);

  private final LedgerStore store;
  private final Ambient ambient;

  Leases(LedgerStore store, Ambient ambient) {
    this.store = store;
    this.ambient = ambient;
  }

  /**
   * Requests more of each slice, or joins a request under way, and waits for the answers. The
   * slices may still be too small afterwards. The requests run concurrently, each on its own
   * thread, so that the wait is bounded even when the store hangs. Waiting holds are counted, so
   * that the next request asks for all of them.
   *
   * @param shortfalls the slices that are too small for one hold, at least one
   * @param nanos the longest wait, in nanoseconds
   * @return why a request was not answered; null when all were
   */
  @Nullable String obtain(List<SliceShortfall> shortfalls, long nanos) {
    long deadline = ambient.nanoTime() + nanos;
    var requests = new PendingLeaseRequest[shortfalls.size()];
    @Nullable PendingLeaseRequest[] newRequests =
        new @Nullable PendingLeaseRequest[shortfalls.size()]; // null: another request is under way
    try {
      join(shortfalls, requests, newRequests);
    } finally { // also starts the requests before one that could not be created
      for (int i = 0; i < newRequests.length; i++) {
        PendingLeaseRequest newRequest = newRequests[i];
        if (newRequest != null) {
          startRequest("strowger-ledger-ask", shortfalls.get(i), newRequest);
        }
      }
    }
    try {
      String failure = null;
      // waits for all even after a failure, so that no later hold joins one that fails, too
      for (PendingLeaseRequest pendingLeaseRequest : requests) {
        String reason = pendingLeaseRequest.await(deadline - ambient.nanoTime());
        failure = failure == null ? reason : failure;
      }
      return failure;
    } finally {
      leave(shortfalls);
    }
  }

  private static void join(
      List<SliceShortfall> shortfalls,
      PendingLeaseRequest[] requests,
      @Nullable PendingLeaseRequest[] newRequests) {
    Book book = shortfalls.getFirst().book(); // all books share one lock
    book.lock();
    try {
      for (int i = 0; i < requests.length; i++) {
        PendingLeaseRequest pending = shortfalls.get(i).slice().pendingRequest();
        requests[i] = pending == null ? shortfalls.get(i).slice().registerRequest() : pending;
        newRequests[i] = pending == null ? requests[i] : null;
      }
      shortfalls.forEach(shortfall -> shortfall.slice().startWaiting(shortfall.hold()));
    } finally {
      book.unlock();
    }
  }

  private static void leave(List<SliceShortfall> shortfalls) {
    Book book = shortfalls.getFirst().book();
    book.lock();
    try {
      shortfalls.forEach(shortfall -> shortfall.slice().stopWaiting(shortfall.hold()));
    } finally {
      book.unlock();
    }
  }

  /** Sends a request that was already registered, in the background. */
  void refill(SliceShortfall shortfall, PendingLeaseRequest request) {
    startRequest("strowger-ledger-refill", shortfall, request);
  }

  private void startRequest(String thread, SliceShortfall shortfall, PendingLeaseRequest request) {
    try {
      ambient.startService(thread, () -> runRequest(shortfall, request));
    } catch (RuntimeException | OutOfMemoryError e) { // no thread: waiters must not hang
      log.warn(
          "cannot start a thread to request a budget slice for {}",
          shortfall.window().account(),
          e);
      complete(shortfall, request, "the ledger store could not be asked for a budget slice");
    }
  }

  private void runRequest(SliceShortfall shortfall, PendingLeaseRequest request) {
    String failure = "the ledger store failed";
    try {
      renewSlice(shortfall);
      failure = null;
    } catch (RuntimeException e) {
      failure = failure + ": " + e.getMessage();
      log.warn(
          "no budget slice for {} could be obtained: {}",
          shortfall.window().account(),
          e.getMessage());
    } finally {
      complete(shortfall, request, failure);
    }
  }

  private void complete(
      SliceShortfall shortfall, PendingLeaseRequest request, @Nullable String failure) {
    if (failure != null) {
      recordFailure(shortfall);
    }
    request.complete(failure);
  }

  private void renewSlice(SliceShortfall shortfall) {
    LocalSlice slice = shortfall.slice();
    Window window = shortfall.window();
    boolean isLimitLowered;
    long spent;
    shortfall.book().lock();
    try {
      spent = window.spent(slice.withByok());
      isLimitLowered = slice.isLimitLowered(shortfall.limit());
      if (isLimitLowered) {
        shortfall.book().revokeShares();
        slice.dropUnspent(spent);
      }
    } finally {
      shortfall.book().unlock();
    }
    if (isLimitLowered) {
      store.returnUnused(window.account(), slice.withByok(), new Usd(spent));
    }
    LedgerStore.SliceRequest leaseRequest = leaseRequest(shortfall);
    LedgerStore.Slice grant = store.requestSlice(leaseRequest);
    shortfall.book().lock();
    try {
      shortfall.book().revokeShares();
      slice.onGranted(leaseRequest, grant, ambient.nanoTime());
    } finally {
      shortfall.book().unlock();
    }
  }

  private LedgerStore.SliceRequest leaseRequest(SliceShortfall shortfall) {
    LocalSlice slice = shortfall.slice();
    shortfall.book().lock();
    try {
      long spent = shortfall.window().spent(slice.withByok());
      return new LedgerStore.SliceRequest(
          shortfall.window().account(),
          slice.withByok(),
          new Usd(shortfall.limit()),
          new Usd(SaturatingMath.plus(spent, shortfall.hold())),
          new Usd(slice.amountToRequest(spent, shortfall.hold(), shortfall.limit())));
    } finally {
      shortfall.book().unlock();
    }
  }

  private void recordFailure(SliceShortfall shortfall) {
    shortfall.book().lock();
    try {
      shortfall.slice().onFailure(ambient.nanoTime());
    } finally {
      shortfall.book().unlock();
    }
  }

  /**
   * Returns the unspent part of a slice to the store, unless a request for more is under way.
   *
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is unreachable; this
   *     node no longer spends it, and {@link LocalSlice#hasSpare} stays true until it is returned
   */
  void returnUnused(Book book, Window window, LocalSlice slice) {
    PendingLeaseRequest request;
    long spent;
    book.lock();
    try {
      if (slice.pendingRequest() != null) {
        return;
      }
      request = slice.registerRequest();
      spent = window.spent(slice.withByok());
      book.revokeShares();
      slice.dropUnspent(spent);
    } finally {
      book.unlock();
    }
    boolean isReturned = false;
    try {
      store.returnUnused(window.account(), slice.withByok(), new Usd(spent));
      isReturned = true;
    } finally {
      book.lock();
      try {
        slice.onReturned(isReturned);
      } finally {
        book.unlock();
      }
      request.complete(null);
    }
  }
}
