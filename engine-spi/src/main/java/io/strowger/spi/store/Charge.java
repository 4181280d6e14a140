package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;
import java.util.Objects;

/**
 * The cost of a paid act, split by who is charged. An act is paid from the account's credits; one
 * for which the customer's own key of a provider was used is charged to its owner by that provider,
 * and only the gateway's fee is paid from credits. Contract: "API key" (usage and byok_usage).
 *
 * @param credits paid from the account's credits; the fee, where an BYOK key was used
 * @param byokCost what it costs at list price where an BYOK key was used; zero otherwise
 */
public record Charge(Usd credits, Usd byokCost) {
  public static final Charge ZERO = new Charge(Usd.ZERO, Usd.ZERO);

  public Charge {
    Objects.requireNonNull(credits, "credits");
    Objects.requireNonNull(byokCost, "byokCost");
  }

  /** Returns the charge of an act for which no BYOK key was used. */
  public static Charge credits(Usd amount) {
    return new Charge(amount, Usd.ZERO);
  }

  public Charge plus(Charge other) {
    return this == ZERO
        ? other
        : other == ZERO
            ? this
            : new Charge(credits.plus(other.credits), byokCost.plus(other.byokCost));
  }

  /** Returns the least charge that is not below either of the two, whatever a budget counts. */
  public Charge max(Charge other) {
    Usd most = credits.isMoreThan(other.credits) ? credits : other.credits;
    Usd one = counted(true);
    Usd two = other.counted(true);
    return new Charge(most, (one.isMoreThan(two) ? one : two).minus(most));
  }

  /** Returns the largest charge that is above neither of the two, whatever a budget counts. */
  public Charge min(Charge other) {
    Usd least = credits.isMoreThan(other.credits) ? other.credits : credits;
    Usd one = counted(true);
    Usd two = other.counted(true);
    return new Charge(least, (one.isMoreThan(two) ? two : one).minus(least));
  }

  /**
   * Returns the part that counts against a budget.
   *
   * @param withByok what BYOK keys cost counts too
   */
  public Usd counted(boolean withByok) {
    return withByok ? credits.plus(byokCost) : credits;
  }

  @Override
  public String toString() {
    return byokCost.nanos() == 0
        ? credits.toString()
        : credits + " and " + byokCost + " of BYOK keys";
  }
}
