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
   * @param lacks the slices that are too small for one hold, at least one
   * @param nanos the longest wait, in nanoseconds
   * @return why a request was not answered; null when all were
   */
  @Nullable String obtain(List<SliceShortfall> lacks, long nanos) {
    long until = ambient.nanoTime() + nanos;
    var awaited = new PendingLeaseRequest[lacks.size()];
    @Nullable PendingLeaseRequest[] begun =
        new @Nullable PendingLeaseRequest[lacks.size()]; // null: another request is under way
    try {
      join(lacks, awaited, begun);
    } finally { // also starts those before one that could not be created
      for (int i = 0; i < begun.length; i++) {
        PendingLeaseRequest mine = begun[i];
        if (mine != null) {
          begin("strowger-ledger-ask", lacks.get(i), mine);
        }
      }
    }
    try {
      String failure = null;
      for (PendingLeaseRequest pendingLeaseRequest :
          awaited) { // all, so that no later hold joins a failed request
        String why = pendingLeaseRequest.await(until - ambient.nanoTime());
        failure = failure == null ? why : failure;
      }
      return failure;
    } finally {
      leave(lacks);
    }
  }

  private static void join(
      List<SliceShortfall> lacks,
      PendingLeaseRequest[] awaited,
      @Nullable PendingLeaseRequest[] begun) {
    Book any = lacks.getFirst().book(); // all books share one lock
    any.lock();
    try {
      for (int i = 0; i < awaited.length; i++) {
        PendingLeaseRequest other = lacks.get(i).slice().pendingRequest();
        awaited[i] = other == null ? lacks.get(i).slice().ask() : other;
        begun[i] = other == null ? awaited[i] : null;
      }
      lacks.forEach(lack -> lack.slice().startWaiting(lack.hold()));
    } finally {
      any.unlock();
    }
  }

  private static void leave(List<SliceShortfall> lacks) {
    Book any = lacks.getFirst().book();
    any.lock();
    try {
      lacks.forEach(lack -> lack.slice().stopWaiting(lack.hold()));
    } finally {
      any.unlock();
    }
  }

  /** Sends a request that was already registered, in the background. */
  void refill(SliceShortfall lack, PendingLeaseRequest begun) {
    begin("strowger-ledger-refill", lack, begun);
  }

  private void begin(String thread, SliceShortfall lack, PendingLeaseRequest begun) {
    try {
      ambient.startService(thread, () -> ask(lack, begun));
    } catch (RuntimeException | OutOfMemoryError cannot) { // no thread: waiters must not hang
      log.warn(
          "cannot start a thread to request a budget slice for {}",
          lack.window().account(),
          cannot);
      end(lack, begun, "the ledger store could not be asked for a budget slice");
    }
  }

  private void ask(SliceShortfall lack, PendingLeaseRequest begun) {
    String failure = "the ledger store failed";
    try {
      answer(lack);
      failure = null;
    } catch (RuntimeException cannot) {
      failure = failure + ": " + cannot.getMessage();
      log.warn(
          "no budget slice for {} could be obtained: {}",
          lack.window().account(),
          cannot.getMessage());
    } finally {
      end(lack, begun, failure);
    }
  }

  private void end(SliceShortfall lack, PendingLeaseRequest begun, @Nullable String failure) {
    if (failure != null) {
      unanswered(lack);
    }
    begun.end(failure);
  }

  private void answer(SliceShortfall lack) {
    LocalSlice slice = lack.slice();
    Window window = lack.window();
    boolean shrinks;
    long spent;
    lack.book().lock();
    try {
      spent = window.spent(slice.withByok());
      shrinks = slice.shrinks(lack.limit());
      if (shrinks) {
        lack.book().revokeShares();
        slice.keep(spent);
      }
    } finally {
      lack.book().unlock();
    }
    if (shrinks) {
      store.returnUnused(window.account(), slice.withByok(), new Usd(spent));
    }
    LedgerStore.LeaseRequest ask = question(lack);
    LedgerStore.Slice granted = store.lease(ask);
    lack.book().lock();
    try {
      lack.book().revokeShares();
      slice.answered(ask, granted, ambient.nanoTime());
    } finally {
      lack.book().unlock();
    }
  }

  private LedgerStore.LeaseRequest question(SliceShortfall lack) {
    LocalSlice slice = lack.slice();
    lack.book().lock();
    try {
      long spent = lack.window().spent(slice.withByok());
      return new LedgerStore.LeaseRequest(
          lack.window().account(),
          slice.withByok(),
          new Usd(lack.limit()),
          new Usd(SaturatingMath.plus(spent, lack.hold())),
          new Usd(slice.amountToRequest(spent, lack.hold(), lack.limit())));
    } finally {
      lack.book().unlock();
    }
  }

  private void unanswered(SliceShortfall lack) {
    lack.book().lock();
    try {
      lack.slice().unanswered(ambient.nanoTime());
    } finally {
      lack.book().unlock();
    }
  }

  /**
   * Returns the unspent part of a slice to the store, unless a request for more is under way.
   *
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is unreachable; this
   *     node no longer spends it, and it is still {@linkplain LocalSlice#hasSpare spare}
   */
  void returnUnused(Book book, Window window, LocalSlice slice) {
    PendingLeaseRequest begun;
    long spent;
    book.lock();
    try {
      if (slice.pendingRequest() != null) {
        return;
      }
      begun = slice.ask();
      spent = window.spent(slice.withByok());
      book.revokeShares();
      slice.keep(spent);
    } finally {
      book.unlock();
    }
    boolean told = false;
    try {
      store.returnUnused(window.account(), slice.withByok(), new Usd(spent));
      told = true;
    } finally {
      book.lock();
      try {
        slice.onReturned(told);
      } finally {
        book.unlock();
      }
      begun.end(null);
    }
  }
}
