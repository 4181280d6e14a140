package io.strowger.core.plan;

import static io.strowger.core.plan.Fares.fares;
import static io.strowger.core.plan.Fares.latency;
import static io.strowger.core.plan.Fares.throughput;
import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.at;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.endpoint;
import static io.strowger.core.plan.PlanWords.perMillion;
import static io.strowger.core.plan.PlanWords.prefer;
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
  private static final Fares SPEEDS =
      Fares.over(TWO_MODELS)
          .with("a", throughput(80))
          .with("b", throughput(20))
          .with("c", throughput(200))
          .with("d", throughput(50));
  private static final Catalog THREE =
      catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("c", "m", "3"));

  private static RoutingQuery.Builder sorted(Key key, Partition partition, String... models) {
    return ask(models).preferences(prefer().sort(new ProviderSort(key, partition)).build());
  }

  private static RoutingQuery.Builder sorted(Key key) {
    return sorted(key, Partition.MODEL, "m");
  }

  @Proves({"routing.sort.by", "routing.sort.partition", "routing.sort.SO-1"})
  @Test
  @DisplayName("SO-1 sorts each model's endpoints, models in the order of the request")
  void so1() {
    assertThat(SPEEDS.tried(sorted(Key.THROUGHPUT, Partition.MODEL, "m1", "m2")))
        .containsExactly("a", "b", "c", "d");
  }

  @Proves({"routing.sort.partition", "routing.sort.SO-2"})
  @Test
  @DisplayName("SO-2 sorts the endpoints of all models as one list with partition none")
  void so2() {
    var plan = SPEEDS.plan(sorted(Key.THROUGHPUT, Partition.NONE, "m1", "m2"));
    assertThat(PlanWords.tried(plan)).containsExactly("c", "a", "d", "b");
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
  @DisplayName("SO-3 ignores the sort where an order is given, and draws the rest by price")
  void so3() {
    var thirds = new HashSet<String>();
    for (long seed = 0; seed < 300; seed++) {
      var listed =
          ask("m1", "m2")
              .preferences(
                  prefer()
                      .order(List.of("b"))
                      .sort(new ProviderSort(Key.THROUGHPUT, Partition.NONE))
                      .build())
              .seed(seed);
      List<String> tried = SPEEDS.tried(listed);
      assertThat(tried).startsWith("b").containsExactlyInAnyOrder("a", "b", "c", "d");
      thirds.add(tried.get(1));
    }
    assertThat(thirds).containsExactlyInAnyOrder("a", "c", "d");
  }

  @Proves({"routing.preference.sort", "routing.draw.off", "routing.sort.by"})
  @Test
  @DisplayName("puts the cheapest first by price, whatever the seed")
  void price() {
    for (long seed = 0; seed < 50; seed++) {
      assertThat(Fares.over(THREE).tried(sorted(Key.PRICE).seed(seed)))
          .containsExactly("a", "b", "c");
    }
  }

  @Proves("routing.sort.by")
  @Test
  @DisplayName("puts the shortest time to the first token first by latency")
  void byLatency() {
    var fares =
        Fares.over(THREE)
            .with("a", latency(2, 2, 2, 2))
            .with("b", latency(0.5, 9, 9, 9))
            .with("c", latency(1, 1, 1, 1));
    var plan = fares.plan(sorted(Key.LATENCY));
    assertThat(PlanWords.tried(plan)).containsExactly("b", "c", "a");
    assertThat(plan.trace()).contains(new TraceEntry.Ranked("m@b", null, 0, "latency", 0.5));
  }

  @Proves({"routing.sort.by", "open.28"})
  @Test
  @DisplayName("puts who is not known behind who is, cheapest first")
  void unknown() {
    var fares = Fares.over(THREE).with("c", throughput(1));
    assertThat(fares.tried(sorted(Key.THROUGHPUT))).containsExactly("c", "a", "b");
  }

  @Test
  @DisplayName("goes by what the catalog assumes until enough is measured")
  void assumed() {
    Catalog catalog =
        catalog(
            at("a", "m").pricing(perMillion("1", "1")).assumedPerformance(10, 100).build(),
            at("b", "m").pricing(perMillion("2", "2")).assumedPerformance(50, 200).build());
    var tooFew = throughput(90).samples(EndpointSpeeds.MIN_SAMPLES - 1);
    var enough = throughput(90).samples(EndpointSpeeds.MIN_SAMPLES);
    assertThat(Fares.over(catalog).with("a", tooFew).tried(sorted(Key.THROUGHPUT)))
        .containsExactly("b", "a");
    assertThat(Fares.over(catalog).with("a", enough).tried(sorted(Key.THROUGHPUT)))
        .containsExactly("a", "b");
    assertThat(Fares.over(catalog).tried(sorted(Key.LATENCY))).containsExactly("a", "b");
  }

  @Proves("routing.parameters.MP-3")
  @Test
  @DisplayName("MP-3 sorts what is kept by max_price")
  void mp3() {
    Catalog catalog =
        catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("dear", "m", "9"));
    var fares =
        Fares.over(catalog)
            .with("a", throughput(10))
            .with("b", throughput(20))
            .with("dear", throughput(90));
    var capped =
        ask("m")
            .preferences(
                prefer()
                    .sort(new ProviderSort(Key.THROUGHPUT, Partition.MODEL))
                    .maxPrice(
                        new PriceCaps(
                            PlanWords.dollarsPerMillion("2"),
                            PlanWords.dollarsPerMillion("2"),
                            null,
                            null,
                            null))
                    .build());
    assertThat(fares.tried(capped)).containsExactly("b", "a");
  }

  @Proves("open.26")
  @Test
  @DisplayName("demotes who is down, but neither who is degraded nor who had an outage")
  void health() {
    var fares =
        Fares.over(THREE)
            .with("a", fares().uptime(Uptime.DOWN))
            .with("b", fares().uptime(Uptime.DEGRADED).outage(true));
    assertThat(fares.tried(sorted(Key.PRICE))).containsExactly("b", "c", "a");
  }

  @Nested
  @DisplayName("is not the only way to say it:")
  class Sources {
    @Proves("routing.variant.each")
    @Test
    @DisplayName("a variant sorts the model it is written on")
    void variant() {
      assertThat(SPEEDS.tried(ask("m1:floor", "m2:nitro"))).containsExactly("a", "b", "c", "d");
      assertThat(SPEEDS.tried(ask("m2:floor", "m1:nitro"))).containsExactly("c", "d", "a", "b");
    }

    @Proves({"routing.draw.off", "routing.variant.exacto"})
    @Test
    @DisplayName("the request's own sort wins over a variant, a variant over the account's")
    void precedence() {
      var account = AccountRules.builder().defaultSort(Key.THROUGHPUT).build();
      assertThat(SPEEDS.tried(ask("m2").account(account))).containsExactly("c", "d");
      var slow = Fares.over(TWO_MODELS).with("c", throughput(1)).with("d", throughput(2));
      assertThat(slow.tried(ask("m2").account(account))).containsExactly("d", "c");
      assertThat(slow.tried(ask("m2:floor").account(account))).containsExactly("c", "d");
      assertThat(slow.tried(sorted(Key.THROUGHPUT, Partition.MODEL, "m2:floor")))
          .containsExactly("d", "c");
    }

    @Test
    @DisplayName("a variant all names have sorts all of them as one list")
    void variantsTogether() {
      var together = prefer().sort(new ProviderSort(null, Partition.NONE)).build();
      assertThat(SPEEDS.tried(ask("m1:nitro", "m2:nitro").preferences(together)))
          .containsExactly("c", "a", "d", "b");
    }
  }
}
