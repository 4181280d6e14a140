package io.strowger.core.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Period;
import java.util.Objects;

/**
 * The most that may be spent in a period.
 *
 * @param period which
 * @param limit at least 0
 * @param withByok what the customer's own keys cost at list price counts as well
 */
public record Budget(Period period, Usd limit, boolean withByok) {
  public Budget {
    Objects.requireNonNull(period, "period");
    if (limit.nanos() < 0) {
      throw new IllegalArgumentException("limit must be at least 0, was " + limit);
    }
  }
}
