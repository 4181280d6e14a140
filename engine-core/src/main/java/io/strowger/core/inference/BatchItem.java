package io.strowger.core.inference;

import io.strowger.spi.catalog.Usd;

/**
 * What sets a request of a batch apart from one whose caller waits: its name was chosen before, it
 * costs half of the token prices, it leaves places at endpoints to others, and it is billed only
 * with leave, since another node may have billed it before. Resources fact sheet, section 6;
 * decision 59.
 */
public interface BatchItem {
  /** Generation id, {@code gen-batch-...}. */
  String id();

  /**
   * Asks for leave to bill a part of the request, before it is settled; for each part once, one
   * after another. May wait for a store.
   *
   * @param part what is going to be charged
   * @return false: the part is not charged at all
   */
  boolean mayBill(PartialBill part);

  /**
   * Returns whether leave was not to be had: the answer is nobody's, and no record of it is kept,
   * since a record tells others that the request was billed.
   */
  boolean isRefused();

  /**
   * A part of the bill of a request.
   *
   * @param billed charged to credits
   * @param held set aside for it
   * @param whole there is no other part, and the record of the request is written with it: where
   *     there is a record, it was billed
   */
  record PartialBill(Usd billed, Usd held, boolean whole) {}
}
