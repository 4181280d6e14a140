package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Money set aside on every payer of a request. Ends once: the first of {@link #settle} and {@link
 * #release} counts, later calls do nothing. One that is left open past its deadline is given back
 * by the ledger; a bill that arrives later is still booked.
 *
 * <p>Safe on any thread; never waits for a database.
 */
public interface Reservation {
  /** Returns the amount that was set aside. */
  Charge atMost();

  /**
   * Charges these lines and ends the hold; on return they survive the end of the process. What is
   * left is free again; a bill above the hold is still charged, counted as overrun, and nothing
   * further is granted until it fits.
   *
   * @param entries a line for each attempt, failed ones too; empty: the same as {@link #release}
   * @param record the record of the request that ends with them, written together with the lines:
   *     once they are written {@link GenerationStore#find} on this node finds it; null: the request
   *     goes on, or its record is saved separately
   * @throws IllegalArgumentException when a line costs less than nothing, or when there is a record
   *     and no line; nothing has happened then
   */
  void settle(List<LedgerEntry> entries, GenerationStore.@Nullable Generation record);

  /** Settles without a record, for a request that goes on. */
  default void settle(List<LedgerEntry> entries) {
    settle(entries, null);
  }

  /** Gives all of it back, since nothing was charged. */
  void release();
}
