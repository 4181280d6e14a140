package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.routing.RoutePlan;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.TraceEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RouterBenchmarkTest {
  private static final Catalog CATALOG = LargeCatalog.withRequestedModelEndpoints(5);
  private static final Statistics HEALTHY = LargeStatistics.healthy(CATALOG);

  @Test
  @DisplayName("The automatic router and both peers put the same model first")
  void sameModel() {
    assertSameModel(RouterQueries.known(CATALOG), 2);
    assertSameModel(RouterQueries.fresh(CATALOG), 50);
  }

  private static void assertSameModel(RouterQueries queries, int min) {
    var plugins = PluginRegistry.of(Plugins.none().discover(BuiltinPlugins.all()));
    var planner = new Planner(CATALOG, plugins.prepare(CATALOG));
    var peers = new RouterPeers(CATALOG);
    Set<String> chosen = new HashSet<>();
    for (RouterQueries.RouterRequest request : queries.list()) {
      String first = firstModel(planner.plan(request.query(), HEALTHY));
      assertThat(CATALOG.models().get(peers.packed(request)).id())
          .as("%s", request)
          .isEqualTo(first);
      assertThat(peers.naive(request)).first().extracting(ModelInfo::id).isEqualTo(first);
      chosen.add(first);
    }
    assertThat(chosen).as("models that come first").hasSizeGreaterThan(min);
  }

  private static String firstModel(RoutePlan plan) {
    assertThat(plan).isInstanceOf(RoutePlan.Attempts.class);
    return ((RoutePlan.Attempts) plan).candidates().getFirst().endpoint().model();
  }

  @Test
  @DisplayName("No two fresh requests have the same patterns, and known requests have only five")
  void patterns() {
    assertThat(RouterQueries.fresh(CATALOG).list())
        .extracting(RouterQueries.RouterRequest::allowed, RouterQueries.RouterRequest::excluded)
        .doesNotHaveDuplicates();
    assertThat(
            Set.copyOf(
                RouterQueries.known(CATALOG).list().stream().map(it -> it.allowed()).toList()))
        .hasSize(5);
  }

  @Test
  @DisplayName("Every method of the benchmark returns a valid result")
  void everyMethod() {
    var benchmark = new RouterBenchmark();
    benchmark.setUp();
    assertThat(benchmark.autoPackedAll()).isNotNegative();
    assertThat(benchmark.autoNaive()).isNotEmpty();
    for (RoutePlan plan :
        List.of(
            benchmark.auto(),
            benchmark.autoDegraded(),
            benchmark.autoFresh(),
            benchmark.pareto(),
            benchmark.paretoPriced())) {
      assertThat(plan).isInstanceOf(RoutePlan.Attempts.class);
    }
    assertThat(benchmark.autoAndExplain())
        .anyMatch(entry -> entry instanceof TraceEntry.Routed)
        .anyMatch(entry -> entry instanceof TraceEntry.Ranked);
    for (int i = 0; i < 16; i++) {
      assertThat(benchmark.paretoSelect()).isInstanceOf(Selection.Models.class);
      assertThat(benchmark.paretoPricedSelect()).isInstanceOf(Selection.Models.class);
    }
  }
}
