package io.strowger.core.ledger;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintains a ledger once a second: expires holds, retries lines, returns idle slices. */
final class LedgerMaintenance implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LedgerMaintenance.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final long INTERVAL_NANOS = INTERVAL.toNanos();

  /** A slice that is not used during this many runs is returned to the store. */
  private static final int IDLE_RUNS = 5;

  private final Stripes stripes;
  private final Books books;
  private final Leases leases;
  private final LedgerLineWriter lineWriter;
  private final Ambient ambient;
  private final Thread thread;
  private final long originNanos; // seconds are counted from here
  private volatile long lastExpirySecond = Long.MIN_VALUE; // the second of the last check
  private volatile boolean closed;
  private int runs;

  LedgerMaintenance(
      Stripes stripes, Books books, Leases leases, LedgerLineWriter lineWriter, Ambient ambient) {
    this.stripes = stripes;
    this.books = books;
    this.leases = leases;
    this.lineWriter = lineWriter;
    this.ambient = ambient;
    this.originNanos = ambient.nanoTime();
    this.thread = ambient.startService("strowger-ledger", this::run);
  }

  private void run() {
    while (!closed) {
      try {
        ambient.sleep(INTERVAL);
      } catch (InterruptedException e) {
        return;
      }
      try {
        expireNow();
        lineWriter.retry();
        runs++;
        if (runs % IDLE_RUNS == 0) {
          returnSlices(false);
        }
      } catch (StoreUnavailableException e) {
        log.warn("unused budget slices could not be returned to the store: {}", e.getMessage());
      } catch (RuntimeException | Error bug) {
        log.error("ledger maintenance failed and is repeated in a second", bug);
      }
    }
  }

  /** Returns the second of an {@link Ambient#nanoTime} reading, counted from the start. */
  long second(long nanoTime) {
    return Math.floorDiv(nanoTime - originNanos, INTERVAL_NANOS);
  }

  /** Ends holds past their deadline; at most once a second, the precision of deadlines. */
  void expireNow() {
    long now = second(ambient.nanoTime());
    if (now == lastExpirySecond) {
      return;
    }
    lastExpirySecond = now;
    var overdue = new ArrayList<ActiveHold>();
    stripes.addOverdue(now, overdue);
    for (ActiveHold activeHold : overdue) {
      log.warn(
          "a hold of {} was neither settled nor released in time and was freed",
          activeHold.maxCharge());
      activeHold.expire();
    }
  }

  private List<Book> allBooks() {
    var result = new ArrayList<Book>();
    books.addTo(result);
    return result;
  }

  /**
   * Returns unspent slices to the store.
   *
   * @param includeUsed whether to return slices in use as well
   */
  private void returnSlices(boolean includeUsed) {
    for (Book book : allBooks()) {
      for (Window window : releaseIdle(book)) {
        for (LocalSlice slice : window.slices()) {
          if (isSpare(book, window, slice, includeUsed)) {
            leases.returnUnused(book, window, slice);
          }
        }
      }
    }
  }

  private static Set<Window> releaseIdle(Book book) {
    book.lock();
    try {
      return book.releaseIdle(); // tallies take memory for each book
    } finally {
      book.unlock();
    }
  }

  private static boolean isSpare(Book book, Window window, LocalSlice slice, boolean includeUsed) {
    book.lock();
    try {
      boolean isReturnable = !slice.wasUsed() || includeUsed;
      return isReturnable && slice.hasSpare(window.spent(slice.withByok()));
    } finally {
      book.unlock();
    }
  }

  /** Ends the thread, and returns unspent slices if the store can be reached. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    ThreadJoiner.joinUninterruptibly(thread);
    lineWriter.retry();
    try {
      returnSlices(true);
    } catch (RuntimeException e) {
      log.warn("budget slices could not be returned to the store at shutdown: {}", e.getMessage());
    }
  }
}
