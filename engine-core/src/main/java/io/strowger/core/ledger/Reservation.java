package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Money set aside on every payer of a request. It ends with the first call of {@link #settle} or
 * {@link #release}; later calls do nothing. The ledger releases a reservation that is open past its
 * deadline; a bill that arrives later is still booked.
 *
 * <p>Safe on any thread; never waits for a database.
 */
public interface Reservation {
  /** Returns the amount that was set aside. */
  Charge maxCharge();

  /**
   * Charges these lines and ends the hold. When this method returns, the lines survive the end of
   * the process, and the rest of the hold is free again. A bill above the hold is still charged,
   * the excess is counted as overrun, and no further hold is granted until one fits the limit
   * again.
   *
   * @param entries a line for each attempt, failed ones included; an empty list acts as {@link
   *     #release}
   * @param record the record of the request, if the request ends with these lines; written together
   *     with them: once the lines are written, {@link GenerationStore#find} on this node finds the
   *     record. Null when the request goes on, or its record is saved separately
   * @throws IllegalArgumentException when a line costs less than nothing, or when there is a record
   *     and no line; nothing has happened then
   */
  void settle(List<LedgerEntry> entries, GenerationStore.@Nullable Generation record);

  /** Settles without a record, for a request that continues. */
  default void settle(List<LedgerEntry> entries) {
    settle(entries, null);
  }

  /** Releases the whole hold, since nothing was charged. */
  void release();
}
