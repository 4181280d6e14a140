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

  private static double shareOfFirst(PlannerFixture fixture, String tag) {
    int first = 0;
    for (long seed = 0; seed < DRAWS; seed++) {
      first += fixture.tried(queryFor("m").seed(seed)).get(0).equals(tag) ? 1 : 0;
    }
    return first / (double) DRAWS;
  }

  @Nested
  @DisplayName("for its health:")
  class Health {
    @Proves({"routing.draw.1", "routing.draw.3", "routing.draw.LB-1"})
    @Test
    @DisplayName("LB-1 after a recent outage it comes last, and the others share the draw 9 to 1")
    void lb1() {
      var fixture = PlannerFixture.of(ABC).withStatistics("b", statistics().outage(true));
      for (long seed = 0; seed < 200; seed++) {
        assertThat(fixture.tried(queryFor("m").seed(seed))).hasSize(3).endsWith("b");
      }
      assertThat(shareOfFirst(fixture, "a")).isCloseTo(0.9, within(0.01));
    }

    @Proves("routing.draw.LB-4")
    @Test
    @DisplayName("LB-4 no endpoint is demoted when all had an outage")
    void lb4() {
      var fixture =
          PlannerFixture.of(ABC)
              .withStatistics("a", statistics().outage(true))
              .withStatistics("b", statistics().outage(true))
              .withStatistics("c", statistics().outage(true));
      assertThat(shareOfFirst(fixture, "a")).isCloseTo(36 / 49.0, within(0.015));
      assertThat(shareOfFirst(fixture, "c")).isCloseTo(4 / 49.0, within(0.01));
    }

    @Proves({"routing.draw.UP-2", "routing.draw.UP-3"})
    @Test
    @DisplayName(
        "UP-2, UP-3 a degraded endpoint comes after all normal ones, one that is down after all"
            + " others")
    void tiers() {
      var fixture =
          PlannerFixture.of(ABC)
              .withStatistics("a", statistics().uptime(Uptime.DOWN))
              .withStatistics("b", statistics().uptime(Uptime.DEGRADED));
      assertThat(fixture.tried(queryFor("m"))).containsExactly("c", "b", "a");
    }

    @Proves("open.25")
    @Test
    @DisplayName(
        "uptime counts before outages: a degraded endpoint comes after one that only had an outage")
    void tierBeforeOutage() {
      var fixture =
          PlannerFixture.of(ABC)
              .withStatistics("a", statistics().uptime(Uptime.DEGRADED))
              .withStatistics("b", statistics().outage(true));
      assertThat(fixture.tried(queryFor("m"))).containsExactly("c", "b", "a");
    }

    @Proves("open.26")
    @Test
    @DisplayName(
        "the caller's order is kept; the endpoints that it does not list are ordered as usual")
    void underOrder() {
      var fixture =
          PlannerFixture.of(ABC)
              .withStatistics("c", statistics().uptime(Uptime.DOWN))
              .withStatistics("a", statistics().outage(true));
      var listed = queryFor("m").preferences(preferences().order(List.of("c")).build());
      assertThat(fixture.tried(listed)).containsExactly("c", "b", "a");
    }
  }

  @Nested
  @DisplayName("for missing a threshold:")
  class Thresholds {
    private final Catalog priced =
        catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("c", "m", "3"));

    private RoutingQuery.Builder sortedByPrice(ProviderPreferences.Builder preferences) {
      return queryFor("m")
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
    @DisplayName("PT-1 endpoints below the throughput follow, in the existing order")
    void pt1() {
      var fixture =
          PlannerFixture.of(priced)
              .withStatistics("a", throughput(30))
              .withStatistics("b", throughput(60))
              .withStatistics("c", throughput(70));
      assertThat(fixture.tried(sortedByPrice(preferences().preferredMinThroughput(p90(50)))))
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
      var fixture =
          PlannerFixture.of(priced)
              .withStatistics("a", latency(2.1, 9, 9, 9))
              .withStatistics("b", latency(1.9, 9, 9, 9))
              .withStatistics("c", latency(2.0, 9, 9, 9));
      var median = new PercentilePreferences(2_000_000L, null, null, null);
      assertThat(fixture.tried(sortedByPrice(preferences().preferredMaxLatency(median))))
          .containsExactly("b", "c", "a");
    }

    @Proves({"routing.parameters.thresholds", "routing.parameters.PT-3"})
    @Test
    @DisplayName("PT-3 every cutoff must hold")
    void pt3() {
      var fixture =
          PlannerFixture.of(priced)
              .withStatistics("a", latency(0.8, 1, 2.9, 5.1))
              .withStatistics("b", latency(0.8, 1, 2.9, 5.0))
              .withStatistics("c", latency(0.8, 1, 3.1, 4.0));
      var percentilePreferences =
          new PercentilePreferences(1_000_000L, null, 3_000_000L, 5_000_000L);
      assertThat(
              fixture.tried(
                  sortedByPrice(preferences().preferredMaxLatency(percentilePreferences))))
          .containsExactly("b", "a", "c");
    }

    @Proves({
      "routing.preference.preferred_min_throughput",
      "routing.preference.preferred_max_latency",
      "routing.parameters.PT-5"
    })
    @Test
    @DisplayName("PT-5 when all miss it, the order is kept and the request is served")
    void pt5() {
      var fixture =
          PlannerFixture.of(priced)
              .withStatistics("a", throughput(1))
              .withStatistics("b", throughput(2))
              .withStatistics("c", throughput(3));
      assertThat(fixture.tried(sortedByPrice(preferences().preferredMinThroughput(p90(50)))))
          .containsExactly("a", "b", "c");
    }

    @Proves({"routing.parameters.no-data", "open.28"})
    @Test
    @DisplayName("an endpoint without measurements misses no threshold")
    void unknown() {
      var fixture = PlannerFixture.of(priced).withStatistics("a", throughput(1));
      assertThat(fixture.tried(sortedByPrice(preferences().preferredMinThroughput(p90(50)))))
          .containsExactly("b", "c", "a");
    }

    @Proves("routing.parameters.thresholds")
    @Test
    @DisplayName("a fallback model may come before the first model when all are one list")
    void acrossModels() {
      Catalog two = catalog(endpoint("slow", "m1", "1"), endpoint("fast", "m2", "2"));
      var fixture =
          PlannerFixture.of(two)
              .withStatistics("slow", throughput(1))
              .withStatistics("fast", throughput(90));
      var query =
          queryFor("m1", "m2")
              .preferences(
                  preferences()
                      .sort(new ProviderSort(Key.PRICE, Partition.NONE))
                      .preferredMinThroughput(p90(50))
                      .build());
      assertThat(fixture.tried(query)).containsExactly("fast", "slow");
    }

    @Proves("open.31")
    @Test
    @DisplayName("endpoints that the caller's order lists are not moved")
    void underOrder() {
      var fixture =
          PlannerFixture.of(priced)
              .withStatistics("c", throughput(1))
              .withStatistics("a", throughput(1))
              .withStatistics("b", throughput(90));
      var query =
          queryFor("m")
              .preferences(
                  preferences().order(List.of("c")).preferredMinThroughput(p90(50)).build());
      assertThat(fixture.tried(query)).containsExactly("c", "b", "a");
    }
  }

  @Nested
  @DisplayName("for its quality with tools, in requests with tools:")
  class AutoExacto {
    private final RoutingQuery.Builder tools = queryFor("m").parameters(Parameter.TOOLS.bit());
    private final PlannerFixture tiers =
        PlannerFixture.of(ABC)
            .withStatistics("a", statistics().exacto(Exacto.DEPRIORITIZED))
            .withStatistics("b", statistics().exacto(Exacto.INSUFFICIENT_DATA))
            .withStatistics("c", statistics().exacto(Exacto.GOOD));

    @Proves({"routing.draw.off", "routing.exacto.when", "routing.exacto.tiers"})
    @Test
    @DisplayName("good, then unknown, then deprioritized")
    void order() {
      assertThat(tiers.tried(tools)).containsExactly("c", "b", "a");
      assertThat(tiers.tried(queryFor("m").seed(3))).isNotEqualTo(List.of("c", "b", "a"));
    }

    @Proves("routing.exacto.tiers")
    @Test
    @DisplayName("within a tier the default draw applies")
    void drawn() {
      var fixture =
          PlannerFixture.of(ABC)
              .withStatistics("a", statistics().exacto(Exacto.GOOD))
              .withStatistics("b", statistics().exacto(Exacto.DEPRIORITIZED))
              .withStatistics("c", statistics().exacto(Exacto.GOOD));
      int cheapFirst = 0;
      for (long seed = 0; seed < DRAWS; seed++) {
        List<String> tried = fixture.tried(tools.seed(seed));
        assertThat(tried).endsWith("b");
        cheapFirst += tried.get(0).equals("a") ? 1 : 0;
      }
      assertThat(cheapFirst / (double) DRAWS).isCloseTo(0.9, within(0.01));
    }

    @Proves({"routing.exacto.when", "routing.exacto.EX-4"})
    @Test
    @DisplayName("EX-4 not when the request is sorted, by price or otherwise, or has an order")
    void ex4() {
      for (Key key : List.of(Key.PRICE, Key.THROUGHPUT, Key.LATENCY)) {
        var sorted =
            queryFor("m")
                .parameters(Parameter.TOOLS.bit())
                .preferences(preferences().sort(new ProviderSort(key, Partition.MODEL)).build());
        assertThat(tiers.tried(sorted)).containsExactly("a", "b", "c");
      }
      assertThat(tiers.tried(queryFor("m:floor").parameters(Parameter.TOOLS.bit())))
          .containsExactly("a", "b", "c");
    }

    @Proves({"routing.sort.by", "routing.variant.exacto"})
    @Test
    @DisplayName("also without tools when the request asks for it")
    void explicit() {
      var sorted =
          queryFor("m")
              .preferences(
                  preferences().sort(new ProviderSort(Key.EXACTO, Partition.MODEL)).build());
      assertThat(tiers.tried(sorted)).containsExactly("c", "b", "a");
      assertThat(tiers.tried(queryFor("m:exacto"))).containsExactly("c", "b", "a");
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
    private final PlannerFixture fixture =
        PlannerFixture.of(tiered)
            .withStatistics("a", throughput(10))
            .withStatistics("b", throughput(90))
            .withStatistics("a/priority", throughput(20))
            .withStatistics("b/priority", throughput(30));

    private static io.strowger.spi.catalog.Endpoint tier(String tag, String tier, String price) {
      return endpointBuilder(tag, "m").pricing(perMillion(price, price)).serviceTier(tier).build();
    }

    @Proves("routing.tier.priority")
    @Test
    @DisplayName(
        "priority: endpoints of the tier come first, then those without a tier, each group by"
            + " throughput")
    void priority() {
      assertThat(fixture.tried(queryFor("m").tier(ServiceTier.PRIORITY)))
          .containsExactly("b/priority", "a/priority", "b", "a");
    }

    @Proves("routing.tier.flex")
    @Test
    @DisplayName("flex: only endpoints of the tier are candidates, by price")
    void flex() {
      assertThat(fixture.tried(queryFor("m").tier(ServiceTier.FLEX)))
          .containsExactly("b/flex", "a/flex");
    }

    @Proves("routing.tier.flex")
    @Test
    @DisplayName("flex: endpoints without a tier are candidates, by price, where none has the tier")
    void noFlex() {
      assertThat(PlannerFixture.of(ABC).tried(queryFor("m").tier(ServiceTier.FLEX)))
          .containsExactly("a", "b", "c");
    }

    @Proves({"routing.tier.nitro", "routing.tier.floor"})
    @Test
    @DisplayName(":nitro admits priority and :floor flex, but neither prefers the tier")
    void variants() {
      assertThat(fixture.tried(queryFor("m:nitro")))
          .containsExactly("b", "b/priority", "a/priority", "a");
      assertThat(fixture.tried(queryFor("m:floor"))).containsExactly("b/flex", "a/flex", "a", "b");
    }

    @Proves({"routing.order.beats", "routing.tier.default"})
    @Test
    @DisplayName(
        "service_tier default excludes the tier that a variant admits, and so does an order")
    void takenBack() {
      assertThat(fixture.tried(queryFor("m:nitro").tier(ServiceTier.DEFAULT)))
          .containsExactly("b", "a");
      var listed = queryFor("m:floor").preferences(preferences().order(List.of("b")).build());
      assertThat(fixture.tried(listed)).containsExactly("b", "a");
    }

    @Proves({"routing.match.tier", "routing.tier.order"})
    @Test
    @DisplayName("a tag in order admits its endpoint and puts it at its position")
    void opted() {
      var listed = queryFor("m").preferences(preferences().order(List.of("a/priority")).build());
      assertThat(fixture.tried(listed)).hasSize(3).startsWith("a/priority");
    }
  }

  @Nested
  @DisplayName("or not at all, while its breaker is open:")
  class Breaker {
    private final long now = PlannerFixture.NOW.toEpochMilli();

    @Test
    @DisplayName("it is no candidate before its cooldown ends, and a probe from then on")
    void probe() {
      var waiting =
          PlannerFixture.of(ABC)
              .withStatistics("a", statistics().breakerOpen(true).blockedUntilMillis(now + 1));
      assertThat(waiting.tried(queryFor("m"))).containsExactlyInAnyOrder("b", "c");
      var probeDue =
          PlannerFixture.of(ABC)
              .withStatistics(
                  "a", statistics().breakerOpen(true).outage(true).blockedUntilMillis(now));
      var plan = (RoutePlan.Attempts) probeDue.plan(queryFor("m").seed(2));
      assertThat(plan.candidates()).hasSize(3);
      assertThat(plan.candidates())
          .allSatisfy(
              candidate ->
                  assertThat(candidate.probe()).isEqualTo(candidate.endpoint().tag().equals("a")));
      assertThat(shareOfFirst(probeDue, "a")).isCloseTo(36 / 49.0, within(0.015));
    }

    @Test
    @DisplayName("a rate-limited endpoint is no candidate before its time, and no probe after it")
    void limited() {
      var waiting =
          PlannerFixture.of(ABC).withStatistics("a", statistics().blockedUntilMillis(now + 1));
      assertThat(waiting.tried(queryFor("m"))).containsExactlyInAnyOrder("b", "c");
      var probeDue =
          PlannerFixture.of(ABC).withStatistics("a", statistics().blockedUntilMillis(now));
      assertThat(((RoutePlan.Attempts) probeDue.plan(queryFor("m"))).candidates())
          .hasSize(3)
          .noneMatch(candidate -> candidate.probe());
    }

    @Test
    @DisplayName("an endpoint that has recovered gets its share of the draw gradually")
    void slowStart() {
      var justNow = PlannerFixture.of(ABC).withStatistics("a", statistics().recoveredAtMillis(now));
      var half =
          PlannerFixture.of(ABC).withStatistics("a", statistics().recoveredAtMillis(now - 15_000));
      var whole =
          PlannerFixture.of(ABC).withStatistics("a", statistics().recoveredAtMillis(now - 30_000));
      assertThat(shareOfFirst(justNow, "a")).isCloseTo(3.6 / 16.6, within(0.015));
      assertThat(shareOfFirst(half, "a")).isCloseTo(19.8 / 32.8, within(0.015));
      assertThat(shareOfFirst(whole, "a")).isCloseTo(36 / 49.0, within(0.015));
    }
  }
}
