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
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final long NANOS = EVERY.toNanos();

  /** A slice that is not used during so many runs is returned to the store. */
  private static final int IDLE_LOOKS = 5;

  private final Stripes stripes;
  private final Books books;
  private final Leases leases;
  private final LedgerLineWriter journal;
  private final Ambient ambient;
  private final Thread thread;
  private final long origin; // seconds are counted from here
  private volatile long expired = Long.MIN_VALUE; // the second of the last check
  private volatile boolean closed;
  private int looks;

  LedgerMaintenance(
      Stripes stripes, Books books, Leases leases, LedgerLineWriter journal, Ambient ambient) {
    this.stripes = stripes;
    this.books = books;
    this.leases = leases;
    this.journal = journal;
    this.ambient = ambient;
    this.origin = ambient.nanoTime();
    this.thread = ambient.startService("strowger-ledger", this::run);
  }

  private void run() {
    while (!closed) {
      try {
        ambient.sleep(EVERY);
      } catch (InterruptedException closing) {
        return;
      }
      try {
        expireAtOnce();
        journal.retry();
        looks++;
        if (looks % IDLE_LOOKS == 0) {
          giveBack(false);
        }
      } catch (StoreUnavailableException down) {
        log.warn("unused budget slices could not be returned to the store: {}", down.getMessage());
      } catch (RuntimeException | Error bug) {
        log.error("ledger maintenance failed and is repeated in a second", bug);
      }
    }
  }

  /** Returns the second of an {@link Ambient#nanoTime} reading, counted from the start. */
  long second(long nanoTime) {
    return Math.floorDiv(nanoTime - origin, NANOS);
  }

  /** Ends holds past their deadline; at most once a second, the precision of deadlines. */
  void expireAtOnce() {
    long now = second(ambient.nanoTime());
    if (now == expired) {
      return;
    }
    expired = now;
    var overdue = new ArrayList<ActiveHold>();
    stripes.addOverdue(now, overdue);
    for (ActiveHold activeHold : overdue) {
      log.warn(
          "a hold of {} was neither settled nor released in time and was freed",
          activeHold.atMost());
      activeHold.expire();
    }
  }

  private List<Book> all() {
    var all = new ArrayList<Book>();
    books.addTo(all);
    return all;
  }

  /**
   * Returns unspent slices to the store.
   *
   * @param used whether to return slices in use as well
   */
  private void giveBack(boolean used) {
    for (Book book : all()) {
      for (Window window : putAway(book)) {
        for (LocalSlice slice : window.slices()) {
          if (isSpare(book, window, slice, used)) {
            leases.returnUnused(book, window, slice);
          }
        }
      }
    }
  }

  private static Set<Window> putAway(Book book) {
    book.lock();
    try {
      return book.releaseIdle(); // tallies take memory for each book
    } finally {
      book.unlock();
    }
  }

  private static boolean isSpare(Book book, Window window, LocalSlice slice, boolean used) {
    book.lock();
    try {
      boolean idle = !slice.wasUsed() || used;
      return idle && slice.hasSpare(window.spent(slice.withByok()));
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
    journal.retry();
    try {
      giveBack(true);
    } catch (RuntimeException down) {
      log.warn(
          "budget slices could not be returned to the store at shutdown: {}", down.getMessage());
    }
  }
}
