package io.strowger.core.ledger;

import io.strowger.spi.catalog.Usd;
import java.util.List;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import org.jspecify.annotations.Nullable;

/**
 * One of the locks of {@link Stripes}, for work of some nanoseconds, and the holds that were taken
 * under it. A thread that finds it locked spins briefly before it sleeps. Not reentrant.
 *
 * <p>Padded, so that threads on neighbouring stripes do not write to the same cache line, which was
 * measured to be twice as slow.
 */
@SuppressWarnings("serial") // never serialized
final class Stripe extends AbstractQueuedSynchronizer {
  private @Nullable ActiveHold newest;
  private final long number;
  private final long spins;
  private long earliestDueSecond = Long.MAX_VALUE; // no hold is due before this second

  @SuppressWarnings("unused") // padding before the next stripe
  private final long room1 = 0, room2 = 0, room3 = 0, room4 = 0, room5 = 0, room6 = 0, room7 = 0;
  @SuppressWarnings("unused") // padding before the next stripe
  private final long more1 = 0, more2 = 0, more3 = 0, more4 = 0, more5 = 0, more6 = 0, more7 = 0;

  /**
   * @param spins how often a locked stripe is tried before the thread sleeps
   */
  Stripe(int number, int spins) {
    this.number = number;
    this.spins = spins;
  }

  /** Returns the index of this stripe among all stripes. */
  int number() {
    return (int) number;
  }

  void lock() {
    for (long i = 0; i < spins; i++) {
      if (tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    acquire(1);
  }

  boolean tryLock() {
    return getState() == 0 && compareAndSetState(0, 1);
  }

  void unlock() {
    release(1);
  }

  @Override
  protected boolean tryAcquire(int acquires) {
    return tryLock();
  }

  @Override
  protected boolean tryRelease(int releases) {
    setState(0);
    return true;
  }

  /** Adds a hold to those that this stripe tracks. */
  void link(ActiveHold activeHold) {
    ActiveHold successor = newest;
    activeHold.next = successor;
    if (successor != null) {
      successor.previous = activeHold;
    }
    newest = activeHold;
    earliestDueSecond = Math.min(earliestDueSecond, activeHold.dueSecond());
  }

  void unlink(ActiveHold activeHold) {
    ActiveHold previous = activeHold.previous;
    ActiveHold next = activeHold.next;
    if (previous != null) {
      previous.next = next;
    } else {
      newest = next;
    }
    if (next != null) {
      next.previous = previous;
    }
    activeHold.previous = null;
    activeHold.next = null;
  }

  /** Returns these open holds plus those of this stripe. */
  Ledger.OpenHolds addOpen(Ledger.OpenHolds sum) {
    int count = sum.count();
    long nanos = sum.credits().nanos();
    for (ActiveHold activeHold = newest; activeHold != null; activeHold = activeHold.next) {
      if (activeHold.isOpen()) {
        count++;
        nanos = SaturatingMath.plus(nanos, activeHold.maxCharge().credits().nanos());
      }
    }
    return new Ledger.OpenHolds(count, new Usd(nanos));
  }

  /** Adds the holds past their deadline to a list. */
  void addOverdue(long nowSecond, List<ActiveHold> overdue) {
    if (nowSecond <= earliestDueSecond) {
      return;
    }
    long next = Long.MAX_VALUE;
    for (ActiveHold activeHold = newest; activeHold != null; activeHold = activeHold.next) {
      if (activeHold.dueSecond() < nowSecond) {
        overdue.add(activeHold);
      } else {
        next = Math.min(next, activeHold.dueSecond());
      }
    }
    earliestDueSecond = next;
  }
}
