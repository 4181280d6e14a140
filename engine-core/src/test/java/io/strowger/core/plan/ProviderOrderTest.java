package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.Statistics;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A plan with provider.order")
class ProviderOrderTest {
  private static final Catalog THREE =
      catalog(
          endpoint("mistral", "m", "1"),
          endpoint("fireworks", "m", "2"),
          endpoint("together", "m", "3"));
  private static final Catalog TURBO =
      catalog(
          endpoint("deep", "m", "1"), endpoint("deep/turbo", "m", "3"), endpoint("x", "m", "2"));

  @Proves({
    "provider.order",
    "routing.preference.order",
    "routing.draw.off",
    "routing.order.walk",
    "routing.order.OR-1",
    "open.34"
  })
  @Test
  @DisplayName(
      "OR-1 skips providers that do not host the model, and tries all others after the listed ones")
  void or1() {
    var listed =
        queryFor("m").preferences(preferences().order(List.of("openai", "together")).build());
    for (long seed = 0; seed < 50; seed++) {
      assertThat(tried(THREE, listed.seed(seed)))
          .hasSize(3)
          .startsWith("together")
          .contains("mistral", "fireworks");
    }
  }

  @Proves({"routing.order.walk", "routing.order.OR-1"})
  @Test
  @DisplayName("OR-1 draws which of the others comes first")
  void or1Tail() {
    var listed = queryFor("m").preferences(preferences().order(List.of("together")).build());
    var secondCandidates =
        LongStream.range(0, 200).mapToObj(seed -> tried(THREE, listed.seed(seed)).get(1)).toList();
    assertThat(secondCandidates).contains("mistral", "fireworks");
  }

  @Proves({"provider.allow_fallbacks", "routing.order.no-fallbacks", "routing.order.OR-2"})
  @Test
  @DisplayName("OR-2 tries only the listed providers when fallbacks are forbidden")
  void or2() {
    var plan =
        plan(
            THREE,
            queryFor("m")
                .preferences(
                    preferences()
                        .order(List.of("openai", "together"))
                        .allowFallbacks(false)
                        .build()));
    assertThat(tried(plan)).containsExactly("together");
    assertThat(plan.trace())
        .containsExactly(
            new TraceEntry.Narrowed("m", "provider.allow_fallbacks", 1, 2),
            new TraceEntry.Ranked("m@together", null, 0, "provider.order", 1));
  }

  @Proves({"routing.match.variant", "routing.order.OR-3"})
  @Test
  @DisplayName("OR-3 takes a tag as exactly that endpoint")
  void or3() {
    assertThat(
            tried(
                TURBO,
                queryFor("m")
                    .preferences(
                        preferences().order(List.of("deep/turbo")).allowFallbacks(false).build())))
        .containsExactly("deep/turbo");
  }

  @Proves({"routing.match.provider", "routing.order.OR-4"})
  @Test
  @DisplayName("OR-4 takes a provider as all of its endpoints, before any other")
  void or4() {
    assertThat(
            tried(TURBO, queryFor("m").preferences(preferences().order(List.of("deep")).build())))
        .containsExactly("deep", "deep/turbo", "x");
  }

  @Proves({
    "routing.preference.allow_fallbacks",
    "routing.order.no-fallbacks",
    "routing.order.OR-5"
  })
  @Test
  @DisplayName("OR-5 has exactly one attempt when fallbacks are forbidden without a list")
  void or5() {
    var two = catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"));
    var query = queryFor("m").preferences(preferences().allowFallbacks(false).build());
    for (long seed = 0; seed < 20; seed++) {
      assertThat(tried(two, query.seed(seed))).hasSize(1);
    }
  }

  @Test
  @DisplayName("follows the list, not the price, and a name given twice counts once")
  void listBeatsPrice() {
    assertThat(
            tried(
                THREE,
                queryFor("m")
                    .preferences(
                        preferences().order(List.of("together", "FIREWORKS", "together")).build())))
        .containsExactly("together", "fireworks", "mistral");
  }

  @Test
  @DisplayName("compares an endpoint with each name of the catalog once, however long the list is")
  void longList() {
    var names = new ArrayList<>(Collections.nCopies(50_000, "nobody"));
    names.addAll(Collections.nCopies(50_000, "together"));
    names.add("fireworks");
    var query = queryFor("m").preferences(preferences().order(names).build()).build();
    var order =
        ListedOrder.compile(
            names, new RuleContext(query, new PlanIndex(THREE), Statistics.NONE, 0));
    assertThat(order.size()).isEqualTo(2);
    assertThat(order.rankOf(THREE.endpoints().get(2))).isEqualTo(50_000);
    assertThat(order.rankOf(THREE.endpoints().get(1))).isEqualTo(100_000);
    assertThat(order.rankOf(THREE.endpoints().get(0))).isEqualTo(-1);
    var unmatched =
        ListedOrder.compile(
            List.of("nobody"), new RuleContext(query, new PlanIndex(THREE), Statistics.NONE, 0));
    assertThat(unmatched.isEmpty()).isFalse();
  }

  @Proves({"routing.preference.allow_fallbacks", "open.30"})
  @Test
  @DisplayName("keeps only the first candidate of each model when fallbacks are forbidden")
  void truncatesPerModel() {
    var two =
        catalog(
            endpoint("a", "m", "1"),
            endpoint("b", "m", "2"),
            endpoint("c", "n", "1"),
            endpoint("d", "n", "2"));
    assertThat(
            tried(two, queryFor("m", "n").preferences(preferences().allowFallbacks(false).build())))
        .hasSize(2);
  }

  @Proves({"provider.order", "open.15"})
  @Test
  @DisplayName("is refused when no listed provider hosts the model and fallbacks are forbidden")
  void nobodyListed() {
    var none =
        refused(
            THREE,
            queryFor("m")
                .preferences(preferences().order(List.of("openai")).allowFallbacks(false).build()));
    assertThat(none.error().code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
    assertThat(none.error().message())
        .contains("mistral, fireworks, together", "provider.order lists openai");
    assertThat(none.trace())
        .containsExactly(new TraceEntry.Narrowed("m", "provider.allow_fallbacks", 0, 3));
  }
}
