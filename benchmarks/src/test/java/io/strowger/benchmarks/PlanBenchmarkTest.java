package io.strowger.benchmarks;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanBenchmarkTest {
  @Test
  @DisplayName("The catalog has the size that the targets name")
  void catalogSize() {
    Catalog catalog = LargeCatalog.withRequestedModelEndpoints(50);
    assertThat(catalog.models()).hasSize(400);
    assertThat(catalog.endpoints()).hasSize(2_000);
    assertThat(catalog.model(LargeCatalog.requestedModel()))
        .satisfies(model -> assertThat(requireNonNull(model).endpoints()).hasSize(50));
    assertThat(LargeCatalog.withRequestedModelEndpoints(5).endpoints()).hasSize(2_000);
  }

  @ParameterizedTest(name = "{0} endpoints")
  @ValueSource(ints = {5, 50})
  @DisplayName("The planner and the one with Java streams return the same order for every query")
  void sameOrder(int endpoints) {
    Catalog catalog = LargeCatalog.withRequestedModelEndpoints(endpoints);
    Statistics healthy = LargeStatistics.healthy(catalog);
    var javaStreamPlanner = new JavaStreamPlanner(catalog, healthy);
    for (PlanQueries queries :
        List.of(
            PlanQueries.plain(),
            PlanQueries.preset(),
            PlanQueries.ordered(endpoints, javaStreamPlanner),
            PlanQueries.sorted(endpoints, javaStreamPlanner))) {
      assertSameOrder(catalog, healthy, queries);
      assertSameOrder(catalog, LargeStatistics.degraded(catalog), queries);
    }
  }

  private static void assertSameOrder(Catalog catalog, Statistics statistics, PlanQueries queries) {
    var planner = new Planner(catalog);
    var javaStreamPlanner = new JavaStreamPlanner(catalog, statistics);
    var orders = new HashSet<List<Endpoint>>();
    for (RoutingQuery query : queries.list()) {
      List<Endpoint> order = javaStreamPlanner.plan(query);
      assertThat(endpointsOf(planner.plan(query, statistics))).as("%s", query).isEqualTo(order);
      orders.add(order);
    }
    assertThat(orders).as("different orders").hasSizeGreaterThan(1);
  }

  @Test
  @DisplayName("Only the degraded statistics make decisions look at the health of each endpoint")
  void degraded() {
    Catalog catalog = LargeCatalog.withRequestedModelEndpoints(5);
    assertThat(LargeStatistics.healthy(catalog).isAllHealthy()).isTrue();
    assertThat(LargeStatistics.degraded(catalog).isAllHealthy()).isFalse();
  }

  @Test
  @DisplayName("Every method of the benchmark returns a valid result")
  void everyMethod() {
    var benchmark = new PlanBenchmark();
    benchmark.endpoints = 5;
    benchmark.setUp();
    assertThat(benchmark.roundRobinPick()).isNotEqualTo(benchmark.roundRobinPick());
    for (RoutePlan plan :
        List.of(
            benchmark.decide(),
            benchmark.decideWithPreset(),
            benchmark.decideDegraded(),
            benchmark.decideOrdered(),
            benchmark.decideSorted())) {
      assertThat(endpointsOf(plan)).hasSizeBetween(1, 5);
    }
    for (List<Endpoint> order :
        List.of(
            benchmark.planWithJavaStreams(),
            benchmark.planWithJavaStreamsDegraded(),
            benchmark.planWithJavaStreamsOrdered(),
            benchmark.planWithJavaStreamsSorted())) {
      assertThat(order).hasSizeBetween(1, 5);
    }
    assertThat(benchmark.decideAndExplain()).isNotEmpty();
    assertThat(benchmark.decideSortedAndExplain()).isNotEmpty();
  }

  private static List<Endpoint> endpointsOf(RoutePlan plan) {
    return switch (plan) {
      case RoutePlan.Attempts attempts ->
          attempts.candidates().stream().map(PlannedAttempt::endpoint).toList();
      case RoutePlan.NoRoute none -> List.of();
    };
  }
}
