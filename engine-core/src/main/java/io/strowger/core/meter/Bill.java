package io.strowger.core.meter;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.store.Charge;
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
 * @param byokCost what owners of keys are charged by upstreams, at list price; zero where none was
 *     used
 */
public record Bill(Usage usage, Usd total, Usd prompt, Usd completion, boolean byok, Usd byokCost) {
  public Bill {
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(total, "total");
    Objects.requireNonNull(byokCost, "byokCost");
  }

  /** Who is charged for it. */
  public Charge charge() {
    return new Charge(total, byokCost);
  }

  /** Both together; of the customer's own keys only when both are. */
  public Bill plus(Bill other) {
    return new Bill(
        usage.plus(other.usage),
        total.plus(other.total),
        prompt.plus(other.prompt),
        completion.plus(other.completion),
        byok && other.byok,
        byokCost.plus(other.byokCost));
  }

  /** The same and a fee that is of no token. */
  public Bill withFee(Usd fee) {
    return new Bill(usage, total.plus(fee), prompt, completion, byok, byokCost);
  }

  /** The same usage, of which nothing is charged. */
  public Bill waived() {
    return new Bill(usage, Usd.ZERO, Usd.ZERO, Usd.ZERO, byok, Usd.ZERO);
  }

  /** The same with another usage, whose money stays as it is. */
  public Bill withUsage(Usage changed) {
    return new Bill(changed, total, prompt, completion, byok, byokCost);
  }

  /** For an answer the gateway's own credential was used for. */
  public Bill(Usage usage, Usd total, Usd prompt, Usd completion) {
    this(usage, total, prompt, completion, false, Usd.ZERO);
  }
}
