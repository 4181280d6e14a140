package io.strowger.core.plan;

/**
 * The default order: the first by chance, weighted by the inverse square of the price, the others
 * by ascending price and then tag. Endpoints that cost nothing have no such weight; where there are
 * any, they come first and the first of all is drawn among them evenly (routing fact sheet, LB-1 to
 * LB-6).
 *
 * <p>Only + - * / on doubles in a fixed order, so that every machine draws the same.
 */
final class DefaultDraw {
  private DefaultDraw() {}

  /**
   * Draws who comes first behind what is already settled.
   *
   * @param shortlist from {@code settled} on cheapest first
   * @param seed all chance
   */
  static void apply(Shortlist shortlist, int settled, long seed) {
    if (shortlist.size() - settled < 2) {
      return;
    }
    double chance = new SplitMix64(seed).nextUnit();
    int drawn =
        shortlist.free(settled)
            ? drawEvenly(shortlist, settled, chance)
            : drawByPrice(shortlist, settled, chance);
    shortlist.advance(drawn, settled);
  }

  private static int drawEvenly(Shortlist shortlist, int settled, double chance) {
    int end = settled;
    while (end < shortlist.size() && shortlist.free(end)) {
      end++;
    }
    return settled + (int) (chance * (end - settled));
  }

  private static int drawByPrice(Shortlist shortlist, int settled, double chance) {
    double total = 0;
    for (int i = settled; i < shortlist.size(); i++) {
      total += shortlist.weight(i);
    }
    double left = chance * total;
    for (int i = settled; i < shortlist.size() - 1; i++) {
      left -= shortlist.weight(i);
      if (left < 0) {
        return i;
      }
    }
    return shortlist.size() - 1;
  }
}
