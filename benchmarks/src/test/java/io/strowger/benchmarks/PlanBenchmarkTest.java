package io.strowger.benchmarks;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.plan.Planner;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanBenchmarkTest {
  @Test
  @DisplayName("The catalog has the size the targets speak of")
  void catalogSize() {
    Catalog catalog = LargeCatalog.withPinned(50);
    assertThat(catalog.models()).hasSize(400);
    assertThat(catalog.endpoints()).hasSize(2_000);
    assertThat(catalog.model(LargeCatalog.pinned()))
        .satisfies(model -> assertThat(requireNonNull(model).endpoints()).hasSize(50));
    assertThat(LargeCatalog.withPinned(5).endpoints()).hasSize(2_000);
  }

  @ParameterizedTest(name = "{0} endpoints")
  @ValueSource(ints = {5, 50})
  @DisplayName("The planner and the stream planner give the same order to every query")
  void sameOrder(int endpoints) {
    Catalog catalog = LargeCatalog.withPinned(endpoints);
    var planner = new Planner(catalog);
    var streams = new StreamPlanner(catalog);
    for (PlanQueries queries : List.of(PlanQueries.plain(), PlanQueries.opinionated(endpoints))) {
      var different = new HashSet<List<Endpoint>>();
      for (RoutingQuery query : queries.all()) {
        List<Endpoint> order = streams.plan(query);
        assertThat(endpointsOf(planner.plan(query))).as("%s", query).isEqualTo(order);
        different.add(order);
      }
      assertThat(different).as("queries that are answered differently").hasSizeGreaterThan(3);
    }
  }

  @Test
  @DisplayName("Every method of the benchmark does its work")
  void everyMethod() {
    var benchmark = new PlanBenchmark();
    benchmark.endpoints = 5;
    benchmark.setUp();
    assertThat(benchmark.roundRobinPick()).isNotEqualTo(benchmark.roundRobinPick());
    assertThat(endpointsOf(benchmark.decide())).isEqualTo(benchmark.streams());
    assertThat(endpointsOf(benchmark.decideWithPreferences())).hasSizeBetween(1, 5);
    assertThat(benchmark.streamsWithPreferences()).hasSizeBetween(1, 5);
    assertThat(benchmark.decideAndExplain()).isNotEmpty();
  }

  private static List<Endpoint> endpointsOf(RoutePlan plan) {
    return switch (plan) {
      case RoutePlan.Attempts attempts ->
          attempts.inOrder().stream().map(Candidate::endpoint).toList();
      case RoutePlan.NoRoute none -> List.of();
    };
  }
}
