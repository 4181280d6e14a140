package io.strowger.core.plan;

import static io.strowger.core.plan.PlannerFixture.latency;
import static io.strowger.core.plan.PlannerFixture.statistics;
import static io.strowger.core.plan.PlannerFixture.throughput;
import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.ProviderSort.Key;
import io.strowger.spi.routing.ProviderSort.Partition;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A plan with provider.sort")
class SortTest {
  private static final Catalog TWO_MODELS =
      catalog(
          endpoint("a", "m1", "1"),
          endpoint("b", "m1", "2"),
          endpoint("c", "m2", "3"),
          endpoint("d", "m2", "4"));
  private static final PlannerFixture SPEEDS =
      PlannerFixture.of(TWO_MODELS)
          .withStatistics("a", throughput(80))
          .withStatistics("b", throughput(20))
          .withStatistics("c", throughput(200))
          .withStatistics("d", throughput(50));
  private static final Catalog THREE =
      catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("c", "m", "3"));

  private static RoutingQuery.Builder sortedQuery(Key key, Partition partition, String... models) {
    return queryFor(models)
        .preferences(preferences().sort(new ProviderSort(key, partition)).build());
  }

  private static RoutingQuery.Builder sortedQuery(Key key) {
    return sortedQuery(key, Partition.MODEL, "m");
  }

  @Proves({"routing.sort.by", "routing.sort.partition", "routing.sort.SO-1"})
  @Test
  @DisplayName("SO-1 sorts each model's endpoints, models in the order of the request")
  void so1() {
    assertThat(SPEEDS.tried(sortedQuery(Key.THROUGHPUT, Partition.MODEL, "m1", "m2")))
        .containsExactly("a", "b", "c", "d");
  }

  @Proves({"routing.sort.partition", "routing.sort.SO-2"})
  @Test
  @DisplayName("SO-2 sorts the endpoints of all models as one list with partition none")
  void so2() {
    var plan = SPEEDS.plan(sortedQuery(Key.THROUGHPUT, Partition.NONE, "m1", "m2"));
    assertThat(TestPlans.tried(plan)).containsExactly("c", "a", "d", "b");
    assertThat(((RoutePlan.Attempts) plan).candidates())
        .extracting(PlannedAttempt::modelIndex)
        .containsExactly(1, 0, 1, 0);
  }

  @Proves({
    "routing.preference.order",
    "routing.preference.sort",
    "routing.sort.SO-3",
    "routing.order.beats"
  })
  @Test
  @DisplayName("SO-3 ignores the sort when an order is given, and draws the rest by price")
  void so3() {
    var secondCandidates = new HashSet<String>();
    for (long seed = 0; seed < 300; seed++) {
      var listed =
          queryFor("m1", "m2")
              .preferences(
                  preferences()
                      .order(List.of("b"))
                      .sort(new ProviderSort(Key.THROUGHPUT, Partition.NONE))
                      .build())
              .seed(seed);
      List<String> tried = SPEEDS.tried(listed);
      assertThat(tried).startsWith("b").containsExactlyInAnyOrder("a", "b", "c", "d");
      secondCandidates.add(tried.get(1));
    }
    assertThat(secondCandidates).containsExactlyInAnyOrder("a", "c", "d");
  }

  @Proves({"routing.preference.sort", "routing.draw.off", "routing.sort.by"})
  @Test
  @DisplayName("by price puts the cheapest first, whatever the seed")
  void price() {
    for (long seed = 0; seed < 50; seed++) {
      assertThat(PlannerFixture.of(THREE).tried(sortedQuery(Key.PRICE).seed(seed)))
          .containsExactly("a", "b", "c");
    }
  }

  @Proves("routing.sort.by")
  @Test
  @DisplayName("by latency puts the shortest time to the first token first")
  void byLatency() {
    var fixture =
        PlannerFixture.of(THREE)
            .withStatistics("a", latency(2, 2, 2, 2))
            .withStatistics("b", latency(0.5, 9, 9, 9))
            .withStatistics("c", latency(1, 1, 1, 1));
    var plan = fixture.plan(sortedQuery(Key.LATENCY));
    assertThat(TestPlans.tried(plan)).containsExactly("b", "c", "a");
    assertThat(plan.trace()).contains(new TraceEntry.Ranked("m@b", null, 0, "latency", 0.5));
  }

  @Proves({"routing.sort.by", "open.28"})
  @Test
  @DisplayName("puts endpoints without measurements after those with, the cheapest first")
  void unknown() {
    var fixture = PlannerFixture.of(THREE).withStatistics("c", throughput(1));
    assertThat(fixture.tried(sortedQuery(Key.THROUGHPUT))).containsExactly("c", "a", "b");
  }

  @Test
  @DisplayName("uses the performance that the catalog assumes until there are enough samples")
  void assumed() {
    Catalog catalog =
        catalog(
            endpointBuilder("a", "m")
                .pricing(perMillion("1", "1"))
                .assumedPerformance(10, 100)
                .build(),
            endpointBuilder("b", "m")
                .pricing(perMillion("2", "2"))
                .assumedPerformance(50, 200)
                .build());
    var tooFew = throughput(90).samples(EndpointSpeeds.MIN_SAMPLES - 1);
    var enough = throughput(90).samples(EndpointSpeeds.MIN_SAMPLES);
    assertThat(
            PlannerFixture.of(catalog)
                .withStatistics("a", tooFew)
                .tried(sortedQuery(Key.THROUGHPUT)))
        .containsExactly("b", "a");
    assertThat(
            PlannerFixture.of(catalog)
                .withStatistics("a", enough)
                .tried(sortedQuery(Key.THROUGHPUT)))
        .containsExactly("a", "b");
    assertThat(PlannerFixture.of(catalog).tried(sortedQuery(Key.LATENCY)))
        .containsExactly("a", "b");
  }

  @Proves("routing.parameters.MP-3")
  @Test
  @DisplayName("MP-3 sorts the endpoints that max_price keeps")
  void mp3() {
    Catalog catalog =
        catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("dear", "m", "9"));
    var fixture =
        PlannerFixture.of(catalog)
            .withStatistics("a", throughput(10))
            .withStatistics("b", throughput(20))
            .withStatistics("dear", throughput(90));
    var capped =
        queryFor("m")
            .preferences(
                preferences()
                    .sort(new ProviderSort(Key.THROUGHPUT, Partition.MODEL))
                    .maxPrice(
                        new PriceCaps(
                            TestPlans.dollarsPerMillion("2"),
                            TestPlans.dollarsPerMillion("2"),
                            null,
                            null,
                            null))
                    .build());
    assertThat(fixture.tried(capped)).containsExactly("b", "a");
  }

  @Proves("open.26")
  @Test
  @DisplayName("demotes endpoints that are down, but not degraded ones or those that had an outage")
  void health() {
    var fixture =
        PlannerFixture.of(THREE)
            .withStatistics("a", statistics().uptime(Uptime.DOWN))
            .withStatistics("b", statistics().uptime(Uptime.DEGRADED).outage(true));
    assertThat(fixture.tried(sortedQuery(Key.PRICE))).containsExactly("b", "c", "a");
  }

  @Nested
  @DisplayName("is not the only way to sort:")
  class Sources {
    @Proves("routing.variant.each")
    @Test
    @DisplayName("a variant sorts the model whose name has it")
    void variant() {
      assertThat(SPEEDS.tried(queryFor("m1:floor", "m2:nitro")))
          .containsExactly("a", "b", "c", "d");
      assertThat(SPEEDS.tried(queryFor("m2:floor", "m1:nitro")))
          .containsExactly("c", "d", "a", "b");
    }

    @Proves({"routing.draw.off", "routing.variant.exacto"})
    @Test
    @DisplayName(
        "the request's own sort overrides a variant, and a variant overrides the account's sort")
    void precedence() {
      var account = AccountRules.builder().defaultSort(Key.THROUGHPUT).build();
      assertThat(SPEEDS.tried(queryFor("m2").account(account))).containsExactly("c", "d");
      var slow =
          PlannerFixture.of(TWO_MODELS)
              .withStatistics("c", throughput(1))
              .withStatistics("d", throughput(2));
      assertThat(slow.tried(queryFor("m2").account(account))).containsExactly("d", "c");
      assertThat(slow.tried(queryFor("m2:floor").account(account))).containsExactly("c", "d");
      assertThat(slow.tried(sortedQuery(Key.THROUGHPUT, Partition.MODEL, "m2:floor")))
          .containsExactly("d", "c");
    }

    @Test
    @DisplayName("a variant of all names sorts all models as one list")
    void variantsTogether() {
      var oneList = preferences().sort(new ProviderSort(null, Partition.NONE)).build();
      assertThat(SPEEDS.tried(queryFor("m1:nitro", "m2:nitro").preferences(oneList)))
          .containsExactly("c", "a", "d", "b");
    }
  }
}
