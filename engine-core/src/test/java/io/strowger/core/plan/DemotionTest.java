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
import static org.assertj.core.api.Assertions.within;

import io.strowger.core.health.EndpointStatistics.Exacto;
import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.ProviderSort.Key;
import io.strowger.spi.routing.ProviderSort.Partition;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("An endpoint is tried later")
class DemotionTest {
  private static final Catalog ABC =
      catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("c", "m", "3"));
  private static final int DRAWS = 20_000;

  private static double shareOfFirst(Fares fares, String tag) {
    int first = 0;
    for (long seed = 0; seed < DRAWS; seed++) {
      first += fares.tried(ask("m").seed(seed)).get(0).equals(tag) ? 1 : 0;
    }
    return first / (double) DRAWS;
  }

  @Nested
  @DisplayName("for its health:")
  class Health {
    @Proves({"routing.draw.1", "routing.draw.3", "routing.draw.LB-1"})
    @Test
    @DisplayName("LB-1 after a recent outage, last, and the others share the draw 9 to 1")
    void lb1() {
      var fares = Fares.over(ABC).with("b", fares().outage(true));
      for (long seed = 0; seed < 200; seed++) {
        assertThat(fares.tried(ask("m").seed(seed))).hasSize(3).endsWith("b");
      }
      assertThat(shareOfFirst(fares, "a")).isCloseTo(0.9, within(0.01));
    }

    @Proves("routing.draw.LB-4")
    @Test
    @DisplayName("LB-4 nobody is, when everybody had an outage")
    void lb4() {
      var fares =
          Fares.over(ABC)
              .with("a", fares().outage(true))
              .with("b", fares().outage(true))
              .with("c", fares().outage(true));
      assertThat(shareOfFirst(fares, "a")).isCloseTo(36 / 49.0, within(0.015));
      assertThat(shareOfFirst(fares, "c")).isCloseTo(4 / 49.0, within(0.01));
    }

    @Proves({"routing.draw.UP-2", "routing.draw.UP-3"})
    @Test
    @DisplayName("UP-2, UP-3 degraded after all normal ones, down after everything else")
    void tiers() {
      var fares =
          Fares.over(ABC)
              .with("a", fares().uptime(Uptime.DOWN))
              .with("b", fares().uptime(Uptime.DEGRADED));
      assertThat(fares.tried(ask("m"))).containsExactly("c", "b", "a");
    }

    @Proves("open.25")
    @Test
    @DisplayName("by uptime before by outage: down after what only had an outage")
    void tierBeforeOutage() {
      var fares =
          Fares.over(ABC)
              .with("a", fares().uptime(Uptime.DEGRADED))
              .with("b", fares().outage(true));
      assertThat(fares.tried(ask("m"))).containsExactly("c", "b", "a");
    }

    @Proves("open.26")
    @Test
    @DisplayName("but not where the caller's order lists it; its tail is ordered as always")
    void underOrder() {
      var fares =
          Fares.over(ABC).with("c", fares().uptime(Uptime.DOWN)).with("a", fares().outage(true));
      var listed = ask("m").preferences(prefer().order(List.of("c")).build());
      assertThat(fares.tried(listed)).containsExactly("c", "b", "a");
    }
  }

  @Nested
  @DisplayName("for missing a threshold:")
  class Thresholds {
    private final Catalog priced =
        catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("c", "m", "3"));

    private RoutingQuery.Builder asking(ProviderPreferences.Builder preferences) {
      return ask("m")
          .preferences(preferences.sort(new ProviderSort(Key.PRICE, Partition.NONE)).build());
    }

    private PercentilePreferences p90(double value) {
      return new PercentilePreferences(null, null, (long) (value * 1e6), null);
    }

    @Proves({
      "provider.preferred_min_throughput",
      "routing.preference.preferred_min_throughput",
      "routing.parameters.thresholds",
      "routing.parameters.PT-1"
    })
    @Test
    @DisplayName("PT-1 who does not reach the throughput follows, in the order there was")
    void pt1() {
      var fares =
          Fares.over(priced)
              .with("a", throughput(30))
              .with("b", throughput(60))
              .with("c", throughput(70));
      assertThat(fares.tried(asking(prefer().preferredMinThroughput(p90(50)))))
          .containsExactly("b", "c", "a");
    }

    @Proves({
      "provider.preferred_max_latency",
      "routing.preference.preferred_max_latency",
      "routing.preference.latency.units",
      "routing.parameters.thresholds",
      "routing.parameters.PT-2"
    })
    @Test
    @DisplayName("PT-2 a bare number is the median: 1.9 s is within 2 s, 2.1 s is not")
    void pt2() {
      var fares =
          Fares.over(priced)
              .with("a", latency(2.1, 9, 9, 9))
              .with("b", latency(1.9, 9, 9, 9))
              .with("c", latency(2.0, 9, 9, 9));
      var median = new PercentilePreferences(2_000_000L, null, null, null);
      assertThat(fares.tried(asking(prefer().preferredMaxLatency(median))))
          .containsExactly("b", "c", "a");
    }

    @Proves({"routing.parameters.thresholds", "routing.parameters.PT-3"})
    @Test
    @DisplayName("PT-3 every cutoff must hold")
    void pt3() {
      var fares =
          Fares.over(priced)
              .with("a", latency(0.8, 1, 2.9, 5.1))
              .with("b", latency(0.8, 1, 2.9, 5.0))
              .with("c", latency(0.8, 1, 3.1, 4.0));
      var percentilePreferences =
          new PercentilePreferences(1_000_000L, null, 3_000_000L, 5_000_000L);
      assertThat(fares.tried(asking(prefer().preferredMaxLatency(percentilePreferences))))
          .containsExactly("b", "a", "c");
    }

    @Proves({
      "routing.preference.preferred_min_throughput",
      "routing.preference.preferred_max_latency",
      "routing.parameters.PT-5"
    })
    @Test
    @DisplayName("PT-5 when everybody does, the order stays and the request runs")
    void pt5() {
      var fares =
          Fares.over(priced)
              .with("a", throughput(1))
              .with("b", throughput(2))
              .with("c", throughput(3));
      assertThat(fares.tried(asking(prefer().preferredMinThroughput(p90(50)))))
          .containsExactly("a", "b", "c");
    }

    @Proves({"routing.parameters.no-data", "open.28"})
    @Test
    @DisplayName("who is not known does not miss any")
    void unknown() {
      var fares = Fares.over(priced).with("a", throughput(1));
      assertThat(fares.tried(asking(prefer().preferredMinThroughput(p90(50)))))
          .containsExactly("b", "c", "a");
    }

    @Proves("routing.parameters.thresholds")
    @Test
    @DisplayName("a fallback model may come before the first one, when they are one list")
    void acrossModels() {
      Catalog two = catalog(endpoint("slow", "m1", "1"), endpoint("fast", "m2", "2"));
      var fares = Fares.over(two).with("slow", throughput(1)).with("fast", throughput(90));
      var query =
          ask("m1", "m2")
              .preferences(
                  prefer()
                      .sort(new ProviderSort(Key.PRICE, Partition.NONE))
                      .preferredMinThroughput(p90(50))
                      .build());
      assertThat(fares.tried(query)).containsExactly("fast", "slow");
    }

    @Proves("open.31")
    @Test
    @DisplayName("does not move what the caller's order lists")
    void underOrder() {
      var fares =
          Fares.over(priced)
              .with("c", throughput(1))
              .with("a", throughput(1))
              .with("b", throughput(90));
      var query =
          ask("m")
              .preferences(prefer().order(List.of("c")).preferredMinThroughput(p90(50)).build());
      assertThat(fares.tried(query)).containsExactly("c", "b", "a");
    }
  }

  @Nested
  @DisplayName("for requests with tools, by how good it is at them:")
  class AutoExacto {
    private final RoutingQuery.Builder tools = ask("m").parameters(Parameter.TOOLS.bit());
    private final Fares tiers =
        Fares.over(ABC)
            .with("a", fares().exacto(Exacto.DEPRIORITIZED))
            .with("b", fares().exacto(Exacto.INSUFFICIENT_DATA))
            .with("c", fares().exacto(Exacto.GOOD));

    @Proves({"routing.draw.off", "routing.exacto.when", "routing.exacto.tiers"})
    @Test
    @DisplayName("good, then unknown, then deprioritized")
    void order() {
      assertThat(tiers.tried(tools)).containsExactly("c", "b", "a");
      assertThat(tiers.tried(ask("m").seed(3))).isNotEqualTo(List.of("c", "b", "a"));
    }

    @Proves("routing.exacto.tiers")
    @Test
    @DisplayName("inside a tier the default draw applies")
    void drawn() {
      var fares =
          Fares.over(ABC)
              .with("a", fares().exacto(Exacto.GOOD))
              .with("b", fares().exacto(Exacto.DEPRIORITIZED))
              .with("c", fares().exacto(Exacto.GOOD));
      int cheapFirst = 0;
      for (long seed = 0; seed < DRAWS; seed++) {
        List<String> tried = fares.tried(tools.seed(seed));
        assertThat(tried).endsWith("b");
        cheapFirst += tried.get(0).equals("a") ? 1 : 0;
      }
      assertThat(cheapFirst / (double) DRAWS).isCloseTo(0.9, within(0.01));
    }

    @Proves({"routing.exacto.when", "routing.exacto.EX-4"})
    @Test
    @DisplayName("EX-4 not when sorted by price, by anything else, or by the caller's order")
    void ex4() {
      for (Key key : List.of(Key.PRICE, Key.THROUGHPUT, Key.LATENCY)) {
        var sorted =
            ask("m")
                .parameters(Parameter.TOOLS.bit())
                .preferences(prefer().sort(new ProviderSort(key, Partition.MODEL)).build());
        assertThat(tiers.tried(sorted)).containsExactly("a", "b", "c");
      }
      assertThat(tiers.tried(ask("m:floor").parameters(Parameter.TOOLS.bit())))
          .containsExactly("a", "b", "c");
    }

    @Proves({"routing.sort.by", "routing.variant.exacto"})
    @Test
    @DisplayName("also without tools, when asked for")
    void explicit() {
      var sorted =
          ask("m")
              .preferences(prefer().sort(new ProviderSort(Key.EXACTO, Partition.MODEL)).build());
      assertThat(tiers.tried(sorted)).containsExactly("c", "b", "a");
      assertThat(tiers.tried(ask("m:exacto"))).containsExactly("c", "b", "a");
    }
  }

  @Nested
  @DisplayName("for its service tier:")
  class ServiceTiers {
    private final Catalog tiered =
        catalog(
            endpoint("a", "m", "1"),
            endpoint("b", "m", "2"),
            tier("a/priority", "priority", "5"),
            tier("b/priority", "priority", "6"),
            tier("a/flex", "flex", "0.5"),
            tier("b/flex", "flex", "0.4"));
    private final Fares fares =
        Fares.over(tiered)
            .with("a", throughput(10))
            .with("b", throughput(90))
            .with("a/priority", throughput(20))
            .with("b/priority", throughput(30));

    private static io.strowger.spi.catalog.Endpoint tier(String tag, String tier, String price) {
      return at(tag, "m").pricing(perMillion(price, price)).serviceTier(tier).build();
    }

    @Proves("routing.tier.priority")
    @Test
    @DisplayName("priority: those of the tier first, each group by throughput, then the plain ones")
    void priority() {
      assertThat(fares.tried(ask("m").tier(ServiceTier.PRIORITY)))
          .containsExactly("b/priority", "a/priority", "b", "a");
    }

    @Proves("routing.tier.flex")
    @Test
    @DisplayName("flex: only those of the tier, by price")
    void flex() {
      assertThat(fares.tried(ask("m").tier(ServiceTier.FLEX))).containsExactly("b/flex", "a/flex");
    }

    @Proves("routing.tier.flex")
    @Test
    @DisplayName("flex: the plain ones by price where there are none of the tier")
    void noFlex() {
      assertThat(Fares.over(ABC).tried(ask("m").tier(ServiceTier.FLEX)))
          .containsExactly("a", "b", "c");
    }

    @Proves({"routing.tier.nitro", "routing.tier.floor"})
    @Test
    @DisplayName(":nitro admits priority and :floor flex, neither prefers it")
    void variants() {
      assertThat(fares.tried(ask("m:nitro"))).containsExactly("b", "b/priority", "a/priority", "a");
      assertThat(fares.tried(ask("m:floor"))).containsExactly("b/flex", "a/flex", "a", "b");
    }

    @Proves({"routing.order.beats", "routing.tier.default"})
    @Test
    @DisplayName("service_tier default takes back what a variant admits, and so does an order")
    void takenBack() {
      assertThat(fares.tried(ask("m:nitro").tier(ServiceTier.DEFAULT))).containsExactly("b", "a");
      var listed = ask("m:floor").preferences(prefer().order(List.of("b")).build());
      assertThat(fares.tried(listed)).containsExactly("b", "a");
    }

    @Proves({"routing.match.tier", "routing.tier.order"})
    @Test
    @DisplayName("a tag in order opts its endpoint in, and puts it where it is listed")
    void opted() {
      var listed = ask("m").preferences(prefer().order(List.of("a/priority")).build());
      assertThat(fares.tried(listed)).hasSize(3).startsWith("a/priority");
    }
  }

  @Nested
  @DisplayName("or not at all, while its breaker is open:")
  class Breaker {
    private final long now = Fares.NOW.toEpochMilli();

    @Test
    @DisplayName("it is no candidate before its time, and a probe from then on")
    void probe() {
      var waiting =
          Fares.over(ABC).with("a", fares().breakerOpen(true).blockedUntilMillis(now + 1));
      assertThat(waiting.tried(ask("m"))).containsExactlyInAnyOrder("b", "c");
      var due =
          Fares.over(ABC).with("a", fares().breakerOpen(true).outage(true).blockedUntilMillis(now));
      var plan = (RoutePlan.Attempts) due.plan(ask("m").seed(2));
      assertThat(plan.candidates()).hasSize(3);
      assertThat(plan.candidates())
          .allSatisfy(
              candidate ->
                  assertThat(candidate.probe()).isEqualTo(candidate.endpoint().tag().equals("a")));
      assertThat(shareOfFirst(due, "a")).isCloseTo(36 / 49.0, within(0.015));
    }

    @Test
    @DisplayName("one that limits the rate is no candidate before its time, and no probe after it")
    void limited() {
      var waiting = Fares.over(ABC).with("a", fares().blockedUntilMillis(now + 1));
      assertThat(waiting.tried(ask("m"))).containsExactlyInAnyOrder("b", "c");
      var due = Fares.over(ABC).with("a", fares().blockedUntilMillis(now));
      assertThat(((RoutePlan.Attempts) due.plan(ask("m"))).candidates())
          .hasSize(3)
          .noneMatch(candidate -> candidate.probe());
    }

    @Test
    @DisplayName("one that came back gets its share little by little")
    void slowStart() {
      var justNow = Fares.over(ABC).with("a", fares().recoveredAtMillis(now));
      var half = Fares.over(ABC).with("a", fares().recoveredAtMillis(now - 15_000));
      var whole = Fares.over(ABC).with("a", fares().recoveredAtMillis(now - 30_000));
      assertThat(shareOfFirst(justNow, "a")).isCloseTo(3.6 / 16.6, within(0.015));
      assertThat(shareOfFirst(half, "a")).isCloseTo(19.8 / 32.8, within(0.015));
      assertThat(shareOfFirst(whole, "a")).isCloseTo(36 / 49.0, within(0.015));
    }
  }
}
