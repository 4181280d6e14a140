package io.strowger.core.plan;

import io.strowger.core.health.Statistics;

/**
 * The default order: the first by chance, weighted by the inverse square of the price, the others
 * by ascending price and then tag. Endpoints that cost nothing have no such weight; where there are
 * any, they come first and the first of all is drawn among them evenly (routing fact sheet, LB-1 to
 * LB-6). An endpoint that has just come back gets its share little by little.
 *
 * <p>Only + - * / on doubles in a fixed order, so that every machine draws the same.
 */
final class DefaultOrder {
  /** How long an endpoint that came back takes to get its whole share. */
  static final long SLOW_START_MILLIS = 30_000;

  /** What it gets at once, so that it gets anything. */
  private static final double MIN_SHARE = 0.1;

  private DefaultOrder() {}

  /**
   * Draws who comes first of the endpoints from {@code from} to {@code to}.
   *
   * @param shortlist from {@code from} on cheapest first
   */
  static void apply(Shortlist shortlist, int from, int to, SplitMix64 random, RuleContext context) {
    if (to - from < 2) {
      return;
    }
    int end = to;
    boolean free = shortlist.slot(from).free();
    if (free) {
      end = from + 1;
      while (end < to && shortlist.slot(end).free()) {
        end++;
      }
    }
    shortlist.advance(draw(shortlist, from, end, free, random.nextUnit(), context), from);
  }

  private static int draw(
      Shortlist shortlist, int from, int to, boolean free, double chance, RuleContext context) {
    double total = 0;
    for (int i = from; i < to; i++) {
      total += weight(shortlist.slot(i), free, context);
    }
    double left = chance * total;
    for (int i = from; i < to - 1; i++) {
      left -= weight(shortlist.slot(i), free, context);
      if (left < 0) {
        return i;
      }
    }
    return to - 1;
  }

  private static double weight(IndexedEndpoint slot, boolean free, RuleContext context) {
    double whole = free ? 1 : slot.weight();
    Statistics statistics = context.statistics();
    if (statistics.isAllHealthy()) {
      return whole;
    }
    long recovered = statistics.of(slot.endpoint()).recoveredAtMillis();
    return recovered == 0 ? whole : whole * share(context.atMillis() - recovered);
  }

  /** The share of its weight an endpoint has, so many milliseconds after it came back. */
  static double share(long sinceMillis) {
    if (sinceMillis >= SLOW_START_MILLIS) {
      return 1;
    }
    double grown = Math.max(0, sinceMillis) / (double) SLOW_START_MILLIS;
    return MIN_SHARE + (1 - MIN_SHARE) * grown;
  }
}
