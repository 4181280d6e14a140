package io.strowger.benchmarks;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.plan.SplitMix64;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A straightforward planner for comparison: java.util.stream and comparators over lists of
 * endpoints, with names compared as strings. Returns the same endpoints as {@link Planner} for
 * {@link PlanQueries}, without a trace.
 */
final class JavaStreamPlanner {
  private static final Comparator<Endpoint> CHEAPEST_FIRST =
      Comparator.comparingLong(Endpoint::blendedPrice).thenComparing(Endpoint::tag);
  private static final double SLOW_START_MILLIS = 30_000;

  private final Map<String, List<Endpoint>> models = new HashMap<>();
  private final Statistics statistics;

  JavaStreamPlanner(Catalog catalog, Statistics statistics) {
    for (ModelInfo model : catalog.models()) {
      models.put(model.id(), model.endpoints());
    }
    this.statistics = statistics;
  }

  @SuppressWarnings("BoxingComparator") // deliberately written in the obvious way
  List<Endpoint> plan(RoutingQuery query) {
    ProviderPreferences preferences = query.preferences();
    List<String> order = preferences.order();
    List<Endpoint> sorted =
        models.getOrDefault(query.models().getFirst().slug(), List.of()).stream()
            .filter(endpoint -> isCandidate(query, endpoint))
            .sorted(
                Comparator.<Endpoint>comparingInt(endpoint -> rank(order, endpoint))
                    .thenComparing(endpoint -> healthClass(preferences, endpoint))
                    .thenComparing(endpoint -> speed(preferences, endpoint))
                    .thenComparing(CHEAPEST_FIRST))
            .toList();
    int listed = (int) sorted.stream().filter(e -> rank(order, e) < Integer.MAX_VALUE).count();
    int limit = preferences.allowFallbacks() ? Planner.MAX_ATTEMPTS : order.isEmpty() ? 1 : listed;
    List<Endpoint> ordered =
        isSorted(preferences) ? sorted : withRandomLeaders(query, sorted, listed);
    return ordered.stream().limit(limit).toList();
  }

  private static boolean isSorted(ProviderPreferences preferences) {
    return preferences.sort().by() != null;
  }

  private boolean isCandidate(RoutingQuery query, Endpoint endpoint) {
    return endpoint.kind() == query.kind()
        && endpoint.serviceTier() == null
        && matchesPreferences(query.preferences(), endpoint)
        && (query.inputModalities() & ~endpoint.inputModalities()) == 0
        && (!query.preferences().requireParameters()
            || (query.parameters() & ~endpoint.parameterMask()) == 0)
        && (endpoint.maxOutputTokens() == 0 || endpoint.maxOutputTokens() >= query.outputLimit())
        && statistics.of(endpoint).blockedUntilMillis() <= query.at().toEpochMilli();
  }

  private static boolean matchesPreferences(ProviderPreferences preferences, Endpoint endpoint) {
    String provider = endpoint.provider().slug();
    @Nullable List<String> only = preferences.only();
    List<String> levels = preferences.quantizations();
    return (only == null || only.contains(provider))
        && !preferences.ignore().contains(provider)
        && (levels.isEmpty() || levels.contains(endpoint.quantization()))
        && !(preferences.denyDataCollection() && endpoint.provider().trainsOnPrompts())
        && !(preferences.zdr() && endpoint.provider().retainsPrompts())
        && isAffordable(endpoint, Price.PROMPT, preferences.maxPrice().prompt())
        && isAffordable(endpoint, Price.COMPLETION, preferences.maxPrice().completion());
  }

  private static boolean isAffordable(Endpoint endpoint, Price price, @Nullable UnitPrice cap) {
    return cap == null || endpoint.pricing().price(price).compareTo(cap) <= 0;
  }

  private static int rank(List<String> order, Endpoint endpoint) {
    int rank = order.indexOf(endpoint.provider().slug());
    return rank < 0 ? Integer.MAX_VALUE : rank;
  }

  /**
   * Returns the health class of an endpoint, lower is better; 0 when the caller's order lists the
   * endpoint.
   */
  private int healthClass(ProviderPreferences preferences, Endpoint endpoint) {
    if (rank(preferences.order(), endpoint) < Integer.MAX_VALUE) {
      return 0;
    }
    EndpointStatistics measured = statistics.of(endpoint);
    boolean missesPreferences =
        isBeyond(preferences.preferredMaxLatency(), measured::latencyMicros, 1)
            || isBeyond(preferences.preferredMinThroughput(), measured::throughputMicroTokens, -1);
    return health(preferences, measured) * 2 + (missesPreferences ? 1 : 0);
  }

  private static int health(ProviderPreferences preferences, EndpointStatistics measured) {
    if (measured.isBreakerOpen()) {
      return 0;
    }
    if (isSorted(preferences)) {
      return measured.uptime() == EndpointStatistics.Uptime.DOWN ? 1 : 0;
    }
    return measured.uptime().ordinal() * 2 + (measured.hasOutage() ? 1 : 0);
  }

  private interface PercentileFunction {
    long valueAt(Percentile percentile);
  }

  /**
   * @param sign 1 when values above the cutoff are bad, -1 when values below it are
   */
  private static boolean isBeyond(
      PercentilePreferences percentilePreferences, PercentileFunction measurement, int sign) {
    return isBeyond(percentilePreferences.p50(), measurement.valueAt(Percentile.P50), sign)
        || isBeyond(percentilePreferences.p75(), measurement.valueAt(Percentile.P75), sign)
        || isBeyond(percentilePreferences.p90(), measurement.valueAt(Percentile.P90), sign)
        || isBeyond(percentilePreferences.p99(), measurement.valueAt(Percentile.P99), sign);
  }

  private static boolean isBeyond(@Nullable Long cutoff, long measurement, int sign) {
    return cutoff != null && Long.compare(measurement, cutoff) == sign;
  }

  /**
   * Returns the negated throughput in thousandths of a token per second when the query sorts by it,
   * otherwise 0.
   */
  private long speed(ProviderPreferences preferences, Endpoint endpoint) {
    return isSorted(preferences)
        ? -statistics.of(endpoint).throughputMicroTokens(Percentile.P50) / 1000
        : 0;
  }

  /**
   * Moves one unlisted endpoint of each health class to the front of its class, drawn with the
   * inverse square of the price as its weight.
   */
  private List<Endpoint> withRandomLeaders(RoutingQuery query, List<Endpoint> sorted, int listed) {
    var ordered = new ArrayList<>(sorted);
    var random = new SplitMix64(new SplitMix64(query.seed()).next());
    for (int from = listed; from < sorted.size(); ) {
      int to = from + 1;
      int healthClass = healthClass(query.preferences(), sorted.get(from));
      while (to < sorted.size()
          && healthClass(query.preferences(), sorted.get(to)) == healthClass) {
        to++;
      }
      if (to - from > 1) {
        int index = weightedChoice(query, sorted.subList(from, to), random.nextDouble());
        ordered.add(from, ordered.remove(from + index));
      }
      from = to;
    }
    return ordered;
  }

  private int weightedChoice(RoutingQuery query, List<Endpoint> candidates, double chance) {
    double total =
        candidates.stream().mapToDouble(endpoint -> weight(query, endpoint)).reduce(0, Double::sum);
    double remaining = chance * total;
    int index = 0;
    while (index < candidates.size() - 1
        && (remaining -= weight(query, candidates.get(index))) >= 0) {
      index++;
    }
    return index;
  }

  private double weight(RoutingQuery query, Endpoint endpoint) {
    double price = endpoint.blendedPrice();
    double fullWeight = 1 / (price * price);
    long recovered = statistics.of(endpoint).recoveredAtMillis();
    if (recovered == 0) {
      return fullWeight;
    }
    double recovery = (query.at().toEpochMilli() - recovered) / SLOW_START_MILLIS;
    return fullWeight * (recovery >= 1 ? 1 : 0.1 + (1 - 0.1) * recovery);
  }
}
