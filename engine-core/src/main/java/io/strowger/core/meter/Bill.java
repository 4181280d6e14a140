package io.strowger.core.meter;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.store.Charge;

/**
 * The cost of one answer; each sum is rounded once from picodollars, half even.
 *
 * @param usage the usage that is billed
 * @param total what the caller pays; prompt, completion and fees together
 * @param prompt the cost of the prompt
 * @param completion the cost of the output
 * @param byok whether a BYOK key was used: the upstream charges its owner, and the total is our fee
 * @param byokCost what upstreams charge the owners of BYOK keys, at list price; zero where none was
 *     used
 * @param upstreamCost what the upstreams charge, whoever they charge: the whole list price for a
 *     BYOK key, else the cost of prompt and completion
 */
public record Bill(
    Usage usage,
    Usd total,
    Usd prompt,
    Usd completion,
    boolean byok,
    Usd byokCost,
    Usd upstreamCost) {
  /** Returns what is charged: the total and the BYOK cost. */
  public Charge charge() {
    return new Charge(total, byokCost);
  }

  /** Returns the sum of two bills; the sum is a BYOK bill only when both bills are. */
  public Bill plus(Bill other) {
    return new Bill(
        usage.plus(other.usage),
        total.plus(other.total),
        prompt.plus(other.prompt),
        completion.plus(other.completion),
        byok && other.byok,
        byokCost.plus(other.byokCost),
        upstreamCost.plus(other.upstreamCost));
  }

  /** Returns this bill with a fee added that is not for tokens. */
  public Bill withFee(Usd fee) {
    return new Bill(usage, total.plus(fee), prompt, completion, byok, byokCost, upstreamCost);
  }

  /** Returns a bill of zero for the same usage. */
  public Bill withoutCharge() {
    return new Bill(usage, Usd.ZERO, Usd.ZERO, Usd.ZERO, byok, Usd.ZERO, Usd.ZERO);
  }

  /** Returns this bill with another usage and the same sums. */
  public Bill withUsage(Usage newUsage) {
    return new Bill(newUsage, total, prompt, completion, byok, byokCost, upstreamCost);
  }

  /** Creates the bill of one answer. */
  public Bill(Usage usage, Usd total, Usd prompt, Usd completion, boolean byok, Usd byokCost) {
    this(
        usage,
        total,
        prompt,
        completion,
        byok,
        byokCost,
        byok ? byokCost : prompt.plus(completion));
  }

  /** Creates the bill of an answer for which the gateway's own credential was used. */
  public Bill(Usage usage, Usd total, Usd prompt, Usd completion) {
    this(usage, total, prompt, completion, false, Usd.ZERO);
  }
}
