package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Arrays;
import java.util.List;

/**
 * Puts the endpoints of a shortlist in order. All criteria are packed into one number per endpoint,
 * stronger ones in higher bits, so that one sort applies them all and their order of precedence can
 * be read here and nowhere else:
 *
 * <ol>
 *   <li>those the caller's {@code order} lists, as listed; nothing below moves them;
 *   <li>those of the requested service tier;
 *   <li>by uptime: normal, degraded, down; under a sort only {@code down} counts;
 *   <li>without an outage in the last seconds; not under a sort;
 *   <li>within the caller's performance thresholds;
 *   <li>by tool-calling quality tier, under {@link Ordering#EXACTO};
 *   <li>by latency or throughput, where the request is sorted by it;
 *   <li>by price, then tag, as in the catalog.
 * </ol>
 *
 * <p>Without a sort, the first of every run of endpoints that are equal down to the quality tier is
 * drawn at random. Last, the {@linkplain #promoteSticky endpoint that served this conversation
 * before} comes to the front.
 */
final class Ranking {
  private static final int INDEX_BITS = 16;
  private static final int METRIC_BITS = 37;
  private static final int CLASS_SHIFT = INDEX_BITS + METRIC_BITS;
  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;
  private static final long MAX_METRIC = (1L << METRIC_BITS) - 1;

  private static final long UNLISTED = 1 << 9;
  private static final long OTHER_TIER = 1 << 8;
  private static final int UPTIME_SHIFT = 6;
  private static final long OUTAGE = 1 << 5;
  private static final long BEYOND_THRESHOLD = 1 << 4;
  private static final int EXACTO_SHIFT = 2;

  private final RuleContext context;
  private final ListedOrder order;
  private final PercentilePreferences maxLatency;
  private final PercentilePreferences minThroughput;
  private final boolean prefersPriority;

  private Ranking(RuleContext context, ListedOrder order) {
    ProviderPreferences preferences = context.query().preferences();
    this.context = context;
    this.order = order;
    this.maxLatency = preferences.preferredMaxLatency();
    this.minThroughput = preferences.preferredMinThroughput();
    this.prefersPriority = context.query().tier() == ServiceTier.PRIORITY;
  }

  /**
   * Puts a shortlist in order.
   *
   * @param shortlist the shortlist, cheapest first
   * @param seed the seed of the random draw
   * @param frontSize the number of endpoints at the front that are used afterwards
   */
  static void apply(
      Shortlist shortlist, RuleContext context, ListedOrder order, long seed, int frontSize) {
    if (shortlist.isFixed()) {
      return;
    }
    Ordering ordering = Ordering.of(context.query(), shortlist.sort());
    if (ordering == Ordering.DRAW && order.isEmpty() && differsOnlyByPrice(context)) {
      DefaultOrder.apply(shortlist, 0, shortlist.size(), new SplitMix64(seed), context);
    } else {
      new Ranking(context, order).rank(shortlist, ordering, seed, frontSize);
    }
  }

  /** Returns whether the endpoints differ only by price, by which they are already sorted. */
  private static boolean differsOnlyByPrice(RuleContext context) {
    RoutingQuery query = context.query();
    return query.tier() != ServiceTier.PRIORITY
        && query.preferences().preferredMaxLatency() == PercentilePreferences.NONE
        && query.preferences().preferredMinThroughput() == PercentilePreferences.NONE
        && context.statistics().isAllHealthy();
  }

  private void rank(Shortlist shortlist, Ordering ordering, long seed, int frontSize) {
    int size = shortlist.size();
    if (size > INDEX_MASK) {
      throw new IllegalStateException("too many endpoints for one decision: " + size);
    }
    long[] keys = new long[size];
    int listedCount = 0;
    for (int i = 0; i < size; i++) {
      Endpoint endpoint = shortlist.endpoint(i);
      int rank = order.rankOf(endpoint);
      listedCount += rank < 0 ? 0 : 1;
      keys[i] = (rank < 0 ? key(endpoint, ordering) : listedKey(rank, endpoint)) | i;
    }
    Arrays.sort(keys);
    // a draw may pick an endpoint from after the front
    shortlist.arrange(keys, INDEX_MASK, ordering.isSort() ? Math.min(size, frontSize) : size);
    shortlist.setListedCount(listedCount);
    if (!ordering.isSort()) {
      draw(shortlist, keys, listedCount, seed);
    }
  }

  /** Returns the key of a listed endpoint; under one name, the requested tier comes first. */
  private long listedKey(int rank, Endpoint endpoint) {
    return (2L * rank + (isOtherTier(endpoint) ? 1 : 0)) << INDEX_BITS;
  }

  private boolean isOtherTier(Endpoint endpoint) {
    return prefersPriority && ServiceTierMask.of(endpoint) != ServiceTierMask.PRIORITY;
  }

  private void draw(Shortlist shortlist, long[] keys, int listedCount, long seed) {
    var random = new SplitMix64(seed);
    int from = listedCount;
    while (from < keys.length) {
      int to = from + 1;
      while (to < keys.length && keys[to] >>> CLASS_SHIFT == keys[from] >>> CLASS_SHIFT) {
        to++;
      }
      DefaultOrder.apply(shortlist, from, to, random, context);
      from = to;
    }
  }

  private long key(Endpoint endpoint, Ordering ordering) {
    EndpointStatistics statistics = context.statistics().of(endpoint);
    long classBits = order.isEmpty() ? 0 : UNLISTED;
    if (isOtherTier(endpoint)) {
      classBits |= OTHER_TIER;
    }
    classBits |= health(statistics, ordering);
    if (EndpointSpeeds.isLatencyTooHigh(endpoint, statistics, maxLatency)
        || EndpointSpeeds.isThroughputTooLow(endpoint, statistics, minThroughput)) {
      classBits |= BEYOND_THRESHOLD;
    }
    if (ordering == Ordering.EXACTO) {
      classBits |= (long) statistics.exacto().ordinal() << EXACTO_SHIFT;
    }
    return classBits << CLASS_SHIFT | metric(endpoint, statistics, ordering) << INDEX_BITS;
  }

  /**
   * Returns the health bits; 0 for an endpoint with an open breaker, which otherwise would never be
   * probed.
   */
  private static long health(EndpointStatistics statistics, Ordering ordering) {
    if (statistics.isBreakerOpen()) {
      return 0;
    }
    EndpointStatistics.Uptime uptime = statistics.uptime();
    if (ordering.isSort()) {
      return uptime == EndpointStatistics.Uptime.DOWN ? (long) uptime.ordinal() << UPTIME_SHIFT : 0;
    }
    return (long) uptime.ordinal() << UPTIME_SHIFT | (statistics.hasOutage() ? OUTAGE : 0);
  }

  private static long metric(Endpoint endpoint, EndpointStatistics statistics, Ordering ordering) {
    return switch (ordering) {
      case DRAW, EXACTO, PRICE -> 0;
      case LATENCY -> {
        long micros = EndpointSpeeds.latency(endpoint, statistics, Percentile.P50);
        yield micros == EndpointSpeeds.UNKNOWN ? MAX_METRIC : Math.min(micros, MAX_METRIC - 1);
      }
      case THROUGHPUT -> {
        long micros = EndpointSpeeds.throughput(endpoint, statistics, Percentile.P50);
        yield micros == EndpointSpeeds.UNKNOWN
            ? MAX_METRIC
            : MAX_METRIC - 1 - Math.min(micros / 1000, MAX_METRIC - 1);
      }
    };
  }

  /**
   * Moves the endpoint that served the conversation before to the front, for the sake of its cached
   * prompt. This is only a preference: an endpoint that a rule dropped stays dropped, and an
   * unhealthy one stays where it is. Routing fact sheet, section 12.
   */
  static void promoteSticky(Shortlist shortlist, RuleContext context) {
    List<String> sticky = context.query().stickyEndpoints();
    if (sticky.isEmpty()
        || shortlist.isFixed()
        || !context.query().preferences().order().isEmpty()) {
      return;
    }
    for (int i = 0; i < sticky.size(); i++) {
      IndexedEndpoint indexed = context.index().endpoint(sticky.get(i));
      int index = indexed == null ? -1 : shortlist.indexOf(indexed.endpoint());
      if (index >= 0 && isHealthy(shortlist.endpoint(index), context)) {
        shortlist.moveForward(index, 0);
        return;
      }
    }
  }

  private static boolean isHealthy(Endpoint endpoint, RuleContext context) {
    EndpointStatistics statistics = context.statistics().of(endpoint);
    return !statistics.isBreakerOpen()
        && !statistics.hasOutage()
        && statistics.uptime() != EndpointStatistics.Uptime.DOWN;
  }
}
