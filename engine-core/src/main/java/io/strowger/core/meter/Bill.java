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
 * @param byok the customer's own key was used: the upstream charges its owner, and the total is our
 *     fee
 */
public record Bill(Usage usage, Usd total, Usd prompt, Usd completion, boolean byok) {
  public Bill {
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(total, "total");
  }

  /** For an answer the gateway's own credential was used for. */
  public Bill(Usage usage, Usd total, Usd prompt, Usd completion) {
    this(usage, total, prompt, completion, false);
  }
}
