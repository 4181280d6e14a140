package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A planner under test: a catalog, the statistics of its endpoints and the keys that must wait. */
final class PlannerFixture {
  static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

  private static final long SEQUENCE = 7;

  private final Catalog catalog;
  private final EndpointStatistics[] all;
  private final Map<String, Long> blockedKeys = new HashMap<>();

  private PlannerFixture(Catalog catalog) {
    this.catalog = catalog;
    this.all = new EndpointStatistics[catalog.endpoints().size()];
    Arrays.fill(all, EndpointStatistics.NONE);
  }

  static PlannerFixture of(Catalog catalog) {
    return new PlannerFixture(catalog);
  }

  /** Sets the statistics of the endpoints with this tag, of all models. */
  PlannerFixture withStatistics(String tag, EndpointStatistics.Builder statistics) {
    for (Endpoint endpoint : catalog.endpoints()) {
      if (endpoint.tag().equals(tag)) {
        all[endpoint.ordinal()] = statistics.build();
      }
    }
    return this;
  }

  PlannerFixture withBlockedKey(String key, long untilMillis) {
    blockedKeys.put(key, untilMillis);
    return this;
  }

  RoutePlan plan(RoutingQuery.Builder query) {
    Statistics statistics = Statistics.of(SEQUENCE, all, blockedKeys);
    return new Planner(catalog)
        .plan(query.statisticsSequence(SEQUENCE).at(NOW).build(), statistics);
  }

  List<String> tried(RoutingQuery.Builder query) {
    return TestPlans.tried(plan(query));
  }

  static EndpointStatistics.Builder statistics() {
    return EndpointStatistics.builder();
  }

  /** Returns statistics with this many tokens per second at every percentile. */
  static EndpointStatistics.Builder throughput(double perSecond) {
    long micros = (long) (perSecond * 1e6);
    return statistics().samples(100).throughputMicroTokens(micros, micros, micros, micros);
  }

  /**
   * Returns statistics with these seconds to the first token at the 50th, 75th, 90th and 99th
   * percentile.
   */
  static EndpointStatistics.Builder latency(double p50, double p75, double p90, double p99) {
    return statistics()
        .samples(100)
        .latencyMicros(toMicros(p50), toMicros(p75), toMicros(p90), toMicros(p99));
  }

  private static long toMicros(double seconds) {
    return Math.round(seconds * 1e6);
  }
}
