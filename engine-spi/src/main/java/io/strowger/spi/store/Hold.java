package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;

/**
 * Money set aside for one paid act. Ends once: the first of {@link #settle} and {@link #release}
 * counts, later calls do nothing. Safe on any thread; never blocks on I/O.
 */
public interface Hold {
  /** Returns how much is set aside. */
  Usd amount();

  /**
   * Bills this amount and ends the hold. What the hold has above the amount is free again; an
   * amount above the hold is still billed, and the difference is counted as overrun, unless whoever
   * made the hold says otherwise.
   *
   * @throws IllegalArgumentException when the amount is negative; the hold then stays as it is
   */
  void settle(Usd actual);

  /** Ends the hold without a bill: the act cost nothing. */
  void release();
}
