package io.strowger.core.ledger;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * The locks of the books: who has one may count there, in the {@link StripeTally} of that stripe,
 * and spend what it was dealt; who has all may look at the whole and change it. So threads that
 * spend from the same budgets meet only where those run short.
 *
 * <p>Who has one never asks for another, and all are taken in one order. Nobody waits for a store
 * under any.
 */
final class Stripes {
  private static final int MOST = 32;

  /** About two microseconds: longer than what is done under a lock takes. */
  private static final int LOOKS = 64;

  private final Stripe[] all; // a power of two
  private final LongSupplier caller;

  /**
   * @param processors that may count at the same time, at least 1; there are twice as many stripes
   */
  Stripes(int processors) {
    this(processors, LOOKS, () -> Thread.currentThread().threadId());
  }

  /**
   * @param looks at a taken lock before sleeping
   * @param caller a number of the calling thread
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

  /** The one the calling thread tries first. */
  Stripe stripeOfThread() {
    return all[(int) caller.getAsLong() & all.length - 1];
  }

  /** Locks one, whichever is free. */
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

  /** Adds the holds whose time is over. */
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

  /** Counts the holds that have not ended, one stripe after the other. */
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
