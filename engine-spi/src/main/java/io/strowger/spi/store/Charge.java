package io.strowger.spi.store;

import io.strowger.spi.catalog.Usd;
import java.util.Objects;

/**
 * The cost of an attempt, or of something else that is paid for, such as a search, split by who
 * charges for it. Usually the whole cost is paid from the account's credits. When a BYOK key was
 * used, the provider charges the owner of the key, and only the gateway's fee is paid from credits.
 * Contract: "API key" (usage and byok_usage).
 *
 * @param credits the amount paid from the account's credits; the fee when a BYOK key was used
 * @param byokCost the cost at list price when a BYOK key was used; zero otherwise
 */
public record Charge(Usd credits, Usd byokCost) {
  public static final Charge ZERO = new Charge(Usd.ZERO, Usd.ZERO);

  public Charge {
    Objects.requireNonNull(credits, "credits");
    Objects.requireNonNull(byokCost, "byokCost");
  }

  /** Returns a charge of this amount, for which no BYOK key was used. */
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

  /**
   * Returns the smallest charge that is at least as large as both, whether or not BYOK costs count.
   */
  public Charge max(Charge other) {
    Usd maxCredits = credits.isMoreThan(other.credits) ? credits : other.credits;
    Usd thisTotal = budgetAmount(true);
    Usd otherTotal = other.budgetAmount(true);
    return new Charge(
        maxCredits, (thisTotal.isMoreThan(otherTotal) ? thisTotal : otherTotal).minus(maxCredits));
  }

  /**
   * Returns the largest charge that is at most as large as both, whether or not BYOK costs count.
   */
  public Charge min(Charge other) {
    Usd minCredits = credits.isMoreThan(other.credits) ? other.credits : credits;
    Usd thisTotal = budgetAmount(true);
    Usd otherTotal = other.budgetAmount(true);
    return new Charge(
        minCredits, (thisTotal.isMoreThan(otherTotal) ? otherTotal : thisTotal).minus(minCredits));
  }

  /**
   * Returns the part that counts against a budget.
   *
   * @param includeByok whether the cost of BYOK keys counts, too
   */
  public Usd budgetAmount(boolean includeByok) {
    return includeByok ? credits.plus(byokCost) : credits;
  }

  @Override
  public String toString() {
    return byokCost.nanos() == 0
        ? credits.toString()
        : credits + " and " + byokCost + " of BYOK keys";
  }
}
