package io.strowger.core.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Period;

/**
 * The most that may be spent in a period.
 *
 * @param period the period in which spending is counted
 * @param limit the limit on spending in one period, in US dollars; at least 0
 * @param withByok whether the list-price cost of BYOK keys counts as well
 */
public record Budget(Period period, Usd limit, boolean withByok) {
  public Budget {
    if (limit.nanos() < 0) {
      throw new IllegalArgumentException("limit must be at least 0, was " + limit);
    }
  }
}
