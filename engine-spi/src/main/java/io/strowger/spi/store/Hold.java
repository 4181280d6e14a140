package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;

/**
 * Money set aside for what a request is about to pay for, such as the attempts of a turn or a
 * search. A hold ends once: the first call of {@link #settle} or {@link #release} takes effect,
 * later calls do nothing. Safe on any thread; never blocks on I/O.
 */
public interface Hold {
  /** Returns how much is set aside. */
  Usd amount();

  /**
   * Bills this amount and ends the hold. The unused part of the hold is free again. An amount above
   * the hold is still billed, and the difference is counted as overrun, unless the method that
   * created the hold documents otherwise.
   *
   * @throws IllegalArgumentException when the amount is negative; the hold then stays as it is
   */
  void settle(Usd actual);

  /** Ends the hold without a bill, when nothing has to be paid. */
  void release();
}
