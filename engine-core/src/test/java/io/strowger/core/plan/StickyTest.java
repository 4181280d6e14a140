package io.strowger.core.plan;

import static io.strowger.core.plan.PlannerFixture.statistics;
import static io.strowger.core.plan.PlannerFixture.throughput;
import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.core.routing.ByokKeyRef;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.ProviderSort.Key;
import io.strowger.spi.routing.ProviderSort.Partition;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The endpoint that served a conversation before")
class StickyTest {
  private static final Catalog ABC =
      catalog(
          endpoint("a", "m", "1"),
          endpoint("b", "m", "2"),
          endpoint("c", "m", "3"),
          endpoint("c", "n", "1"),
          endpoint("d", "n", "2"));
  private static final List<String> STICKY_C = List.of("m@c");

  @Proves("routing.sticky.ST-1")
  @Test
  @DisplayName("ST-1 comes first, whatever the seed")
  void first() {
    for (long seed = 0; seed < 100; seed++) {
      assertThat(PlannerFixture.of(ABC).tried(queryFor("m").stickyEndpoints(STICKY_C).seed(seed)))
          .startsWith("c")
          .hasSize(3);
    }
  }

  @Proves("open.32")
  @Test
  @DisplayName("comes first of its own model, also in a sorted list")
  void ofItsGroup() {
    assertThat(
            PlannerFixture.of(ABC)
                .tried(queryFor("n", "m").stickyEndpoints(STICKY_C))
                .subList(2, 5))
        .startsWith("c");
    var sorted =
        queryFor("m")
            .stickyEndpoints(STICKY_C)
            .preferences(preferences().sort(new ProviderSort(Key.PRICE, Partition.MODEL)).build());
    assertThat(PlannerFixture.of(ABC).tried(sorted)).containsExactly("c", "a", "b");
    var fast =
        PlannerFixture.of(ABC)
            .withStatistics("a", throughput(9))
            .withStatistics("b", throughput(5));
    assertThat(fast.tried(queryFor("m:nitro").stickyEndpoints(STICKY_C)))
        .containsExactly("c", "a", "b");
  }

  @Proves({"routing.preference.order", "routing.order.beats", "routing.sticky.ST-5"})
  @Test
  @DisplayName("ST-5 has no effect under an order")
  void underOrder() {
    var listed =
        queryFor("m")
            .stickyEndpoints(STICKY_C)
            .preferences(preferences().order(List.of("b", "a")).build());
    assertThat(PlannerFixture.of(ABC).tried(listed)).containsExactly("b", "a", "c");
  }

  @Test
  @DisplayName(
      "is not moved to the front while it is down, after an outage, or while it is to be probed")
  void unhealthy() {
    long now = PlannerFixture.NOW.toEpochMilli();
    for (var unhealthy :
        List.of(
            statistics().uptime(Uptime.DOWN),
            statistics().outage(true),
            statistics().breakerOpen(true).blockedUntilMillis(now))) {
      var fixture = PlannerFixture.of(ABC).withStatistics("c", unhealthy);
      long first =
          LongStream.range(0, 100)
              .filter(
                  seed ->
                      fixture
                          .tried(queryFor("m").stickyEndpoints(STICKY_C).seed(seed))
                          .get(0)
                          .equals("c"))
              .count();
      assertThat(first).isLessThan(25);
    }
  }

  @Test
  @DisplayName("is not used when a rule drops it")
  void dropped() {
    var ignoring =
        queryFor("m")
            .stickyEndpoints(STICKY_C)
            .preferences(preferences().ignore(List.of("c")).build());
    assertThat(PlannerFixture.of(ABC).tried(ignoring)).containsExactlyInAnyOrder("a", "b");
    assertThat(
            PlannerFixture.of(ABC)
                .tried(queryFor("m").stickyEndpoints(List.of("m@gone", "x@c", "nonsense"))))
        .hasSize(3);
  }

  @Proves("open.32")
  @Test
  @DisplayName("comes first of each group of credentials, but not before BYOK keys")
  void behindKeys() {
    var plan =
        (RoutePlan.Attempts)
            PlannerFixture.of(ABC)
                .plan(
                    queryFor("m")
                        .stickyEndpoints(STICKY_C)
                        .byokKeys(List.of(new ByokKeyRef("K", "a", false, 0, false, null))));
    assertThat(plan.candidates().get(0).byokKey()).isEqualTo("K");
    assertThat(plan.candidates().get(1).endpoint().tag()).isEqualTo("c");
  }
}
