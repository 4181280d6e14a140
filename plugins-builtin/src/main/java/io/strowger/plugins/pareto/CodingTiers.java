package io.strowger.plugins.pareto;

/**
 * Lower bounds of the tiers of coding models, as coding scores times 100. A coding score is itself
 * a percentile of the ranking that it comes from, divided by 100. A model below the low tier is no
 * coding model.
 *
 * <p>Plugins fact sheet, section 3; open question 52.
 *
 * @param high lowest score of the high tier, above {@code medium} and at most 100
 * @param medium lowest score of the medium tier, above {@code low}
 * @param low lowest score of the low tier, at least 0
 */
public record CodingTiers(int high, int medium, int low) {
  public static final CodingTiers DEFAULT = new CodingTiers(85, 70, 50);

  /** The number of tiers; they are numbered from 0, best first. */
  static final int COUNT = 3;

  private static final double PERCENT = 100;

  public CodingTiers {
    if (low < 0 || medium <= low || high <= medium || high > PERCENT) {
      throw new IllegalArgumentException(
          "must have 0 <= low < medium < high <= 100 as tiers; low is %d, medium %d, high %d"
              .formatted(low, medium, high));
    }
  }

  /**
   * Returns the number of the tier of a score; {@link #COUNT} when it is in none.
   *
   * @param score the coding score, 0 to 1
   */
  int tierOf(double score) {
    if (score >= high / PERCENT) {
      return 0;
    }
    if (score >= medium / PERCENT) {
      return 1;
    }
    return score >= low / PERCENT ? 2 : COUNT;
  }

  static String name(int tier) {
    return switch (tier) {
      case 0 -> "high";
      case 1 -> "medium";
      case 2 -> "low";
      default -> throw new IllegalArgumentException("tier " + tier);
    };
  }
}
