package io.strowger.core.plan;

import io.strowger.core.health.Statistics;

/**
 * The default order: the first endpoint is drawn at random, weighted by the inverse square of its
 * price, the others follow by ascending price and then tag. Free endpoints have no such weight:
 * they come first, and the first of all is drawn evenly among them (routing fact sheet, LB-1 to
 * LB-6). An endpoint that has just recovered regains its share gradually.
 *
 * <p>Uses only + - * / on doubles in a fixed order, so that every machine draws the same.
 */
final class DefaultOrder {
  /** Milliseconds a recovered endpoint takes to regain its whole share. */
  static final long SLOW_START_MILLIS = 30_000;

  /** Share of its weight with which a recovered endpoint starts. */
  private static final double MIN_SHARE = 0.1;

  private DefaultOrder() {}

  /**
   * Draws the first of the endpoints from {@code from}, inclusive, to {@code to}, exclusive.
   *
   * @param shortlist the shortlist, cheapest first within that range
   */
  static void apply(Shortlist shortlist, int from, int to, SplitMix64 random, RuleContext context) {
    if (to - from < 2) {
      return;
    }
    int end = to;
    boolean isFree = shortlist.indexedEndpoint(from).isFree();
    if (isFree) {
      end = from + 1;
      while (end < to && shortlist.indexedEndpoint(end).isFree()) {
        end++;
      }
    }
    shortlist.moveForward(draw(shortlist, from, end, isFree, random.nextDouble(), context), from);
  }

  private static int draw(
      Shortlist shortlist, int from, int to, boolean isFree, double chance, RuleContext context) {
    double total = 0;
    for (int i = from; i < to; i++) {
      total += weight(shortlist.indexedEndpoint(i), isFree, context);
    }
    double remaining = chance * total;
    for (int i = from; i < to - 1; i++) {
      remaining -= weight(shortlist.indexedEndpoint(i), isFree, context);
      if (remaining < 0) {
        return i;
      }
    }
    return to - 1;
  }

  private static double weight(IndexedEndpoint indexed, boolean isFree, RuleContext context) {
    double fullWeight = isFree ? 1 : indexed.weight();
    Statistics statistics = context.statistics();
    if (statistics.isAllHealthy()) {
      return fullWeight;
    }
    long recoveredAt = statistics.of(indexed.endpoint()).recoveredAtMillis();
    return recoveredAt == 0 ? fullWeight : fullWeight * share(context.epochMillis() - recoveredAt);
  }

  /** Returns the share of its weight an endpoint has this many milliseconds after recovery. */
  static double share(long sinceMillis) {
    if (sinceMillis >= SLOW_START_MILLIS) {
      return 1;
    }
    double progress = Math.max(0, sinceMillis) / (double) SLOW_START_MILLIS;
    return MIN_SHARE + (1 - MIN_SHARE) * progress;
  }
}
