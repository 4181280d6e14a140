package io.strowger.core.inference;

import io.strowger.spi.catalog.Usd;

/**
 * A request of a batch, for which no caller waits: its id is chosen in advance, it costs half the
 * token prices, it yields the capacity of endpoints to other requests, and it needs permission to
 * be billed, since another node may have billed it already. Resources fact sheet, section 6;
 * decision 59.
 */
public interface BatchItem {
  /** Returns the generation id, {@code gen-batch-...}. */
  String id();

  /**
   * Asks for permission to bill a part of the request before it is settled. Called once for each
   * part, one after the other. May wait for a store.
   *
   * @param part the part to be charged
   * @return whether to bill the part; when false, it is not charged at all
   */
  boolean claimBilling(PartialBill part);

  /**
   * Returns whether permission was refused: then the answer is dropped and no record is kept, since
   * a record tells other nodes that the request was billed.
   */
  boolean isRefused();

  /**
   * A part of the bill of a request.
   *
   * @param billedAmount the amount charged to credits
   * @param heldAmount the amount held for this part
   * @param isComplete whether this is the only part and its record is written together with the
   *     bill; the record then proves that it was billed
   */
  record PartialBill(Usd billedAmount, Usd heldAmount, boolean isComplete) {}
}
