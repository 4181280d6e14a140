package io.strowger.core.ledger;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * The locks of the books. The holder of one may count in the {@link StripeTally} of that stripe and
 * spend its share; the holder of all may read and change everything. So threads that spend from the
 * same budgets contend only when the budgets run short.
 *
 * <p>A holder of one never takes another, and all are taken in a fixed order. No thread waits for a
 * store while it holds any.
 */
final class Stripes {
  private static final int MOST = 32;

  /** Spins before sleeping, about two microseconds: longer than a lock is usually held. */
  private static final int LOOKS = 64;

  private final Stripe[] all; // a power of two
  private final LongSupplier caller;

  /**
   * @param processors the processors in use, at least 1; there are up to twice as many stripes
   */
  Stripes(int processors) {
    this(processors, LOOKS, () -> Thread.currentThread().threadId());
  }

  /**
   * @param looks how often a locked stripe is tried before the thread sleeps
   * @param caller returns a number that identifies the calling thread
   */
  Stripes(int processors, int looks, LongSupplier caller) {
    this.caller = caller;
    all = new Stripe[Integer.highestOneBit(Math.clamp(2L * processors, 1, MOST))];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Stripe(i, looks);
    }
  }

  int count() {
    return all.length;
  }

  /** Returns the stripe that the calling thread tries first. */
  Stripe stripeOfThread() {
    return all[(int) caller.getAsLong() & all.length - 1];
  }

  /** Locks and returns a free stripe; waits for the thread's own when none is free. */
  Stripe lockOne() {
    Stripe first = stripeOfThread();
    for (int i = 0; i < all.length; i++) {
      Stripe stripe = all[first.number() + i & all.length - 1];
      if (stripe.tryLock()) {
        return stripe;
      }
    }
    first.lock();
    return first;
  }

  /** Adds the holds past their deadline to a list. */
  void addOverdue(long nowSecond, List<ActiveHold> overdue) {
    for (Stripe stripe : all) {
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
    for (Stripe stripe : all) {
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
    for (Stripe stripe : all) {
      stripe.lock();
    }
  }

  void unlockAll() {
    for (Stripe stripe : all) {
      stripe.unlock();
    }
  }
}
