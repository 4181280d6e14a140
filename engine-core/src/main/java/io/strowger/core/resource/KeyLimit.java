package io.strowger.core.resource;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Period;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The spending limit of a key. Contract: "API key".
 *
 * @param amount the most the key may spend, at least 0; null for no limit
 * @param reset the period after which the amount is available again
 * @param includeByok whether the cost of requests with BYOK keys counts as well
 */
public record KeyLimit(@Nullable Usd amount, Period reset, boolean includeByok) {
  /** No limit. */
  public static final KeyLimit NONE = new KeyLimit(null, Period.LIFETIME, false);

  public KeyLimit {
    Objects.requireNonNull(reset, "reset");
    if (amount != null && Usd.ZERO.isMoreThan(amount)) {
      throw new IllegalArgumentException("amount must be at least 0, was " + amount);
    }
  }
}
