package io.strowger.spi.store;

import java.util.List;

/**
 * Money set aside on every payer of a request. Ends once: the first of {@link #settle} and {@link
 * #release} counts, later calls do nothing. One that is left open past its deadline is given back
 * by the ledger; a bill that comes after that is booked all the same.
 *
 * <p>Safe on any thread; never waits for a database.
 */
public interface Reservation {
  /** What was set aside. */
  Charge atMost();

  /**
   * Turns it into lines of the books: when it returns they survive the end of the process. What is
   * over is free again; what is short is paid all the same, counted as overrun, and nothing further
   * is granted until it fits.
   *
   * @param entries a line for each attempt, failed ones too; none: the same as {@link #release}
   * @throws IllegalArgumentException when a line costs less than nothing
   */
  void settle(List<Entry> entries);

  /** Gives all of it back: nothing was done. */
  void release();
}
