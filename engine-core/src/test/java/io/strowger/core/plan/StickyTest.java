package io.strowger.core.plan;

import static io.strowger.core.plan.Fares.fares;
import static io.strowger.core.plan.Fares.throughput;
import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.endpoint;
import static io.strowger.core.plan.PlanWords.prefer;
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
  private static final List<String> C = List.of("m@c");

  @Proves("routing.sticky.ST-1")
  @Test
  @DisplayName("ST-1 comes first, whatever the seed")
  void first() {
    for (long seed = 0; seed < 100; seed++) {
      assertThat(Fares.over(ABC).tried(ask("m").stickyEndpoints(C).seed(seed)))
          .startsWith("c")
          .hasSize(3);
    }
  }

  @Proves("open.32")
  @Test
  @DisplayName("comes first of its own model, and of a sorted list too")
  void ofItsGroup() {
    assertThat(Fares.over(ABC).tried(ask("n", "m").stickyEndpoints(C)).subList(2, 5))
        .startsWith("c");
    var sorted =
        ask("m")
            .stickyEndpoints(C)
            .preferences(prefer().sort(new ProviderSort(Key.PRICE, Partition.MODEL)).build());
    assertThat(Fares.over(ABC).tried(sorted)).containsExactly("c", "a", "b");
    var fast = Fares.over(ABC).with("a", throughput(9)).with("b", throughput(5));
    assertThat(fast.tried(ask("m:nitro").stickyEndpoints(C))).containsExactly("c", "a", "b");
  }

  @Proves({"routing.preference.order", "routing.order.beats", "routing.sticky.ST-5"})
  @Test
  @DisplayName("ST-5 is forgotten under an order")
  void underOrder() {
    var listed = ask("m").stickyEndpoints(C).preferences(prefer().order(List.of("b", "a")).build());
    assertThat(Fares.over(ABC).tried(listed)).containsExactly("b", "a", "c");
  }

  @Test
  @DisplayName("stays in its place while it is down, after an outage, and while it is to be probed")
  void inTrouble() {
    long now = Fares.NOW.toEpochMilli();
    for (var trouble :
        List.of(
            fares().uptime(Uptime.DOWN),
            fares().outage(true),
            fares().breakerOpen(true).blockedUntilMillis(now))) {
      var fares = Fares.over(ABC).with("c", trouble);
      long first =
          LongStream.range(0, 100)
              .filter(
                  seed -> fares.tried(ask("m").stickyEndpoints(C).seed(seed)).get(0).equals("c"))
              .count();
      assertThat(first).isLessThan(25);
    }
  }

  @Test
  @DisplayName("brings back nobody a rule dropped")
  void dropped() {
    var ignoring = ask("m").stickyEndpoints(C).preferences(prefer().ignore(List.of("c")).build());
    assertThat(Fares.over(ABC).tried(ignoring)).containsExactlyInAnyOrder("a", "b");
    assertThat(
            Fares.over(ABC).tried(ask("m").stickyEndpoints(List.of("m@gone", "x@c", "nonsense"))))
        .hasSize(3);
  }

  @Proves("open.32")
  @Test
  @DisplayName("comes first of each group of credentials, not before the customer's own keys")
  void behindKeys() {
    var plan =
        (RoutePlan.Attempts)
            Fares.over(ABC)
                .plan(
                    ask("m")
                        .stickyEndpoints(C)
                        .byokKeys(List.of(new ByokKeyRef("K", "a", false, 0, false, null))));
    assertThat(plan.candidates().get(0).byokKey()).isEqualTo("K");
    assertThat(plan.candidates().get(1).endpoint().tag()).isEqualTo("c");
  }
}
