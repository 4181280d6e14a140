package io.strowger.core.resource;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Period;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a key may spend. Contract: "API key".
 *
 * @param amount null for any amount; at least 0
 * @param reset when it may be spent anew
 * @param includeByok what callers' own upstream keys cost counts as well
 */
public record KeyLimit(@Nullable Usd amount, Period reset, boolean includeByok) {
  /** Any amount. */
  public static final KeyLimit NONE = new KeyLimit(null, Period.LIFETIME, false);

  public KeyLimit {
    Objects.requireNonNull(reset, "reset");
    if (amount != null && Usd.ZERO.isMoreThan(amount)) {
      throw new IllegalArgumentException("amount must be at least 0, was " + amount);
    }
  }
}
