package io.strowger.core.ledger;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * The locks of the books. The holder of one stripe may count in the {@link StripeTally} of that
 * stripe and spend its share; the holder of all stripes may read and change everything. So threads
 * that spend from the same budgets contend only when the budgets run short.
 *
 * <p>A thread that holds one stripe never takes another, except for a thread that takes all stripes
 * in their fixed order. No thread waits for a store while it holds a stripe.
 */
final class Stripes {
  private static final int MAX_STRIPES = 32;

  /** Spins before sleeping, about two microseconds: longer than a lock is usually held. */
  private static final int SPINS = 64;

  private final Stripe[] stripes; // a power of two
  private final LongSupplier threadNumber;

  /**
   * @param processors the processors in use, at least 1; there are up to twice as many stripes
   */
  Stripes(int processors) {
    this(processors, SPINS, () -> Thread.currentThread().threadId());
  }

  /**
   * @param spins how often a locked stripe is tried before the thread sleeps
   * @param threadNumber returns a number that identifies the calling thread
   */
  Stripes(int processors, int spins, LongSupplier threadNumber) {
    this.threadNumber = threadNumber;
    stripes = new Stripe[Integer.highestOneBit(Math.clamp(2L * processors, 1, MAX_STRIPES))];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new Stripe(i, spins);
    }
  }

  int count() {
    return stripes.length;
  }

  /** Returns the stripe that the calling thread tries first. */
  Stripe stripeOfThread() {
    return stripes[(int) threadNumber.getAsLong() & stripes.length - 1];
  }

  /** Locks and returns a free stripe; waits for the thread's own when none is free. */
  Stripe lockOne() {
    Stripe first = stripeOfThread();
    for (int i = 0; i < stripes.length; i++) {
      Stripe stripe = stripes[first.number() + i & stripes.length - 1];
      if (stripe.tryLock()) {
        return stripe;
      }
    }
    first.lock();
    return first;
  }

  /** Adds the holds past their deadline to a list. */
  void addOverdue(long nowSecond, List<ActiveHold> overdue) {
    for (Stripe stripe : stripes) {
      stripe.lock();
      try {
        stripe.addOverdue(nowSecond, overdue);
      } finally {
        stripe.unlock();
      }
    }
  }

  /** Returns count and sum of the open holds, locking one stripe after the other. */
  Ledger.OpenHolds openHolds() {
    Ledger.OpenHolds sum = Ledger.OpenHolds.NONE;
    for (Stripe stripe : stripes) {
      stripe.lock();
      try {
        sum = stripe.addOpen(sum);
      } finally {
        stripe.unlock();
      }
    }
    return sum;
  }

  void lockAll() {
    for (Stripe stripe : stripes) {
      stripe.lock();
    }
  }

  void unlockAll() {
    for (Stripe stripe : stripes) {
      stripe.unlock();
    }
  }
}
