package io.strowger.core.meter;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import java.util.Objects;

/**
 * What one answer costs, each sum rounded once from picodollars, half even.
 *
 * @param usage what was used
 * @param total what the caller pays; prompt, completion and fees together
 * @param prompt the share of the prompt
 * @param completion the share of the output
 */
public record Bill(Usage usage, Usd total, Usd prompt, Usd completion) {
  public Bill {
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(total, "total");
  }
}
