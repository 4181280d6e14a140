package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing that money is counted against, and how much may be.
 *
 * @param owner whose, such as {@code key:<hash>} or {@code account}
 * @param window which period, such as {@code 2026-11-21}, {@code 2026-W47}, {@code 2026-11}, or
 *     {@code all}; part of the identity, so a new period starts at zero by itself
 * @param limit most that may be settled and held together; null when it is only counted
 */
public record Counter(String owner, String window, @Nullable Usd limit) {
  public Counter {
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(window, "window");
  }
}
