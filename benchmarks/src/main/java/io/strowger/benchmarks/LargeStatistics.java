package io.strowger.benchmarks;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.Exacto;
import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.core.health.Statistics;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.Map;
import java.util.SplittableRandom;

/** Statistics of the endpoints of a {@link LargeCatalog}; every endpoint has some. */
final class LargeStatistics {
  static final long SEQUENCE = 1;

  private static final long NOW = PlanQueries.NOW.toEpochMilli();
  private static final int DEGRADED_MODEL_INTERVAL = 8; // one in eight models

  private LargeStatistics() {}

  /** Returns statistics in which all endpoints are healthy. */
  static Statistics healthy(Catalog catalog) {
    return of(catalog, false);
  }

  /**
   * Returns statistics in which some models, including the pinned one, have unhealthy endpoints.
   * Each of these is one of: degraded, failed a moment ago, down, cooling down, due for a probe,
   * just recovered.
   */
  static Statistics degraded(Catalog catalog) {
    return of(catalog, true);
  }

  private static Statistics of(Catalog catalog, boolean degraded) {
    var random = new SplittableRandom(17);
    var statistics = new EndpointStatistics[catalog.endpoints().size()];
    for (ModelInfo model : catalog.models()) {
      boolean isDegraded =
          degraded
              && (model.ordinal() % DEGRADED_MODEL_INTERVAL == 0
                  || model.id().equals(LargeCatalog.requestedModel()));
      for (int index = 0; index < model.endpoints().size(); index++) {
        Endpoint endpoint = model.endpoints().get(index);
        EndpointStatistics.Builder builder = randomStatistics(random);
        statistics[endpoint.ordinal()] = (isDegraded ? degraded(builder, index) : builder).build();
      }
    }
    return Statistics.of(SEQUENCE, statistics, Map.of());
  }

  private static EndpointStatistics.Builder randomStatistics(SplittableRandom random) {
    long latency = random.nextLong(150_000, 1_500_000); // microseconds
    long throughput = random.nextLong(20_000_000, 180_000_000); // millionths of a token per second
    return EndpointStatistics.builder()
        .latencyMicros(latency, latency * 3 / 2, latency * 2, latency * 4)
        .throughputMicroTokens(throughput, throughput * 4 / 5, throughput * 3 / 5, throughput / 3)
        .samples(4_000)
        .throughputSamples(4_000)
        .requests(4_000, 24_000, 900_000)
        .failures(8, 50, 2_000)
        .uptime(Uptime.NORMAL)
        .exacto(Exacto.values()[random.nextInt(Exacto.values().length)]);
  }

  private static EndpointStatistics.Builder degraded(
      EndpointStatistics.Builder builder, int index) {
    return switch (index % 10) {
      case 1 -> builder.uptime(Uptime.DEGRADED);
      case 3 -> builder.breakerOpen(true).blockedUntilMillis(NOW + 20_000);
      case 4 -> builder.recoveredAtMillis(NOW - 12_000);
      case 6 -> builder.outage(true);
      case 7 -> builder.breakerOpen(true).blockedUntilMillis(NOW - 1);
      case 9 -> builder.uptime(Uptime.DOWN);
      default -> builder;
    };
  }
}
