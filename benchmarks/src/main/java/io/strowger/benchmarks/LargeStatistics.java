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

  private static final long NOW = PlanQueries.AT.toEpochMilli();
  private static final int MODELS_IN_TROUBLE = 8; // one in eight models

  private LargeStatistics() {}

  /** Returns statistics in which all endpoints are healthy. */
  static Statistics allWell(Catalog catalog) {
    return of(catalog, false);
  }

  /**
   * Returns statistics in which some models, including the pinned one, have endpoints that are
   * degraded, failed a moment ago, are down and cooling down or due for a probe, or have just
   * recovered.
   */
  static Statistics inTrouble(Catalog catalog) {
    return of(catalog, true);
  }

  private static Statistics of(Catalog catalog, boolean trouble) {
    var random = new SplittableRandom(17);
    var all = new EndpointStatistics[catalog.endpoints().size()];
    for (ModelInfo model : catalog.models()) {
      boolean ill =
          trouble
              && (model.ordinal() % MODELS_IN_TROUBLE == 0
                  || model.id().equals(LargeCatalog.pinned()));
      for (int place = 0; place < model.endpoints().size(); place++) {
        Endpoint endpoint = model.endpoints().get(place);
        EndpointStatistics.Builder one = used(random);
        all[endpoint.ordinal()] = (ill ? inTrouble(one, place) : one).build();
      }
    }
    return Statistics.of(SEQUENCE, all, Map.of());
  }

  private static EndpointStatistics.Builder used(SplittableRandom random) {
    long latency = random.nextLong(150_000, 1_500_000); // microseconds
    long throughput = random.nextLong(20_000_000, 180_000_000); // millionths of a token per second
    return EndpointStatistics.builder()
        .latencyMicros(latency, latency * 3 / 2, latency * 2, latency * 4)
        .throughputMicros(throughput, throughput * 4 / 5, throughput * 3 / 5, throughput / 3)
        .samples(4_000)
        .throughputSamples(4_000)
        .requests(4_000, 24_000, 900_000)
        .failures(8, 50, 2_000)
        .uptime(Uptime.NORMAL)
        .exacto(Exacto.values()[random.nextInt(Exacto.values().length)]);
  }

  private static EndpointStatistics.Builder inTrouble(EndpointStatistics.Builder one, int place) {
    return switch (place % 10) {
      case 1 -> one.uptime(Uptime.DEGRADED);
      case 3 -> one.broken(true).notBefore(NOW + 20_000);
      case 4 -> one.recovered(NOW - 12_000);
      case 6 -> one.outage(true);
      case 7 -> one.broken(true).notBefore(NOW - 1);
      case 9 -> one.uptime(Uptime.DOWN);
      default -> one;
    };
  }
}
