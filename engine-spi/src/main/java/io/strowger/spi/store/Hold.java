package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;

/**
 * Money set aside for one paid act. Ends once: the first of {@link #settle} and {@link #release}
 * counts, later calls do nothing. Safe on any thread; never blocks on I/O.
 */
public interface Hold {
  Usd amount();

  /**
   * Turns the hold into a bill of this amount; what is over is free again, what is short is counted
   * as overrun.
   *
   * @throws IllegalArgumentException when it is less than nothing; all of it is then still held
   */
  void settle(Usd actual);

  /** Gives all of it back: the act cost nothing. */
  void release();
}
