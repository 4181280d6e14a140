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

/** A catalog and how its endpoints fare, in the words of the planner's tests. */
final class Fares {
  static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

  private static final long SEQUENCE = 7;

  private final Catalog catalog;
  private final EndpointStatistics[] all;
  private final Map<String, Long> keys = new HashMap<>();

  private Fares(Catalog catalog) {
    this.catalog = catalog;
    this.all = new EndpointStatistics[catalog.endpoints().size()];
    Arrays.fill(all, EndpointStatistics.NONE);
  }

  static Fares over(Catalog catalog) {
    return new Fares(catalog);
  }

  /** The endpoints of this tag, of whatever model, fare like this. */
  Fares with(String tag, EndpointStatistics.Builder statistics) {
    for (Endpoint endpoint : catalog.endpoints()) {
      if (endpoint.tag().equals(tag)) {
        all[endpoint.ordinal()] = statistics.build();
      }
    }
    return this;
  }

  Fares keyClosed(String key, long untilMillis) {
    keys.put(key, untilMillis);
    return this;
  }

  RoutePlan plan(RoutingQuery.Builder query) {
    Statistics statistics = Statistics.of(SEQUENCE, all, keys);
    return new Planner(catalog)
        .plan(query.statisticsSequence(SEQUENCE).at(NOW).build(), statistics);
  }

  List<String> tried(RoutingQuery.Builder query) {
    return PlanWords.tried(plan(query));
  }

  static EndpointStatistics.Builder fares() {
    return EndpointStatistics.builder();
  }

  /** With this many tokens per second at every percentile. */
  static EndpointStatistics.Builder throughput(double perSecond) {
    long micros = (long) (perSecond * 1e6);
    return fares().samples(100).throughputMicroTokens(micros, micros, micros, micros);
  }

  /** With these seconds to the first token at the 50th, 75th, 90th and 99th percentile. */
  static EndpointStatistics.Builder latency(double p50, double p75, double p90, double p99) {
    return fares().samples(100).latencyMicros(us(p50), us(p75), us(p90), us(p99));
  }

  private static long us(double seconds) {
    return Math.round(seconds * 1e6);
  }
}
