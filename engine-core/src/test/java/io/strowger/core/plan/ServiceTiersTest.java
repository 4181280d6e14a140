package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Service tiers")
class ServiceTiersTest {
  private static final Catalog TIERS =
      catalog(
          tier("a", null),
          tier("a/priority", "priority"),
          tier("a/flex", "flex"),
          tier("b", null),
          tier("b/flex", "flex"));

  private static Endpoint tier(String tag, @Nullable String tier) {
    return endpointBuilder(tag, "m").serviceTier(tier).pricing(perMillion("1", "1")).build();
  }

  private static List<String> names(@Nullable String names) {
    return names == null ? List.of() : List.of(names.split(" "));
  }

  @Proves({
    "routing.candidates.2",
    "routing.tier.priority",
    "routing.tier.only",
    "routing.tier.order",
    "routing.tier.nitro",
    "routing.tier.floor",
    "routing.tier.sort"
  })
  @ParameterizedTest(name = "{0} with service_tier {1}, order {2}, only {3}, ignore {4}: {5}")
  @DisplayName("are candidates as in the table of section 9 of the fact sheet")
  @CsvSource(
      nullValues = "-",
      value = {
        "m, UNSET, -, -, -, a b",
        "m, DEFAULT, -, -, -, a b",
        "m, PRIORITY, -, -, -, a b a/priority",
        "m, FLEX, -, -, -, a/flex b/flex",
        "m:nitro, UNSET, -, -, -, a b a/priority",
        "m:floor, UNSET, -, -, -, a b a/flex b/flex",
        "m:nitro:floor, UNSET, -, -, -, a b a/priority a/flex b/flex",
        "m:exacto, UNSET, -, -, -, a b",
        "m:nitro, DEFAULT, -, -, -, a b",
        "m:floor, DEFAULT, -, -, -, a b",
        "m:floor, PRIORITY, -, -, -, a b a/priority a/flex b/flex",
        "m, UNSET, -, a/priority, -, a/priority",
        "m, UNSET, a/priority, -, -, a b a/priority",
        "m, UNSET, -, a a/flex, -, a a/flex",
        "m:nitro, UNSET, b, -, -, a b",
        "m, PRIORITY, b, -, -, a b a/priority",
        "m, UNSET, -, a, -, a",
        "m, PRIORITY, -, a, -, a a/priority",
        "m, PRIORITY, -, -, a, b",
        "m, UNSET, a/priority, -, a, b a/priority",
        "m, PRIORITY, -, -, a/priority, a b",
        "m, FLEX, -, b, -, b/flex",
        "m, FLEX, -, -, a/flex b/flex, a b",
        "m, UNSET, -, -, a/flex, a b",
      })
  void pools(
      String model,
      ServiceTier tier,
      @Nullable String order,
      @Nullable String only,
      @Nullable String ignore,
      String expected) {
    var preferences =
        ProviderPreferences.builder()
            .order(names(order))
            .only(only == null ? null : names(only))
            .ignore(names(ignore))
            .build();
    assertThat(tried(TIERS, queryFor(model).tier(tier).preferences(preferences)))
        .containsExactlyInAnyOrder(expected.split(" "));
  }

  @Test
  @DisplayName(
      "that are admitted are matched by their provider's name in order, the priority one first")
  void listed() {
    var order = preferences().order(List.of("a")).allowFallbacks(false).build();
    assertThat(tried(TIERS, queryFor("m").tier(ServiceTier.PRIORITY).preferences(order)))
        .containsExactly("a/priority", "a");
    assertThat(tried(TIERS, queryFor("m").preferences(order))).containsExactly("a");
    assertThat(tried(TIERS, queryFor("m:nitro").preferences(order))).containsExactly("a");
  }

  @Test
  @DisplayName("are allowed by an account's list when their provider is")
  void accounts() {
    var rules = AccountRules.builder().allowProviders(List.of("a")).build();
    assertThat(tried(TIERS, queryFor("m").tier(ServiceTier.PRIORITY).account(rules)))
        .containsExactlyInAnyOrder("a", "a/priority");
  }

  @Proves("routing.tier.flex")
  @Test
  @DisplayName("are narrowed to flex after the rules, for each model, with an entry in the trace")
  void flex() {
    var other = endpointBuilder("c", "n").pricing(perMillion("1", "1")).build();
    var flexible = catalog(tier("a", null), tier("a/flex", "flex"), other);
    var plan = plan(flexible, queryFor("m", "n").tier(ServiceTier.FLEX));
    assertThat(tried(plan)).containsExactly("a/flex", "c");
    assertThat(plan.trace()).contains(new TraceEntry.Narrowed("m", "service_tier", 1, 1));
    var without = preferences().ignore(List.of("a/flex")).build();
    var rest = plan(flexible, queryFor("m").tier(ServiceTier.FLEX).preferences(without));
    assertThat(tried(rest)).containsExactly("a");
    assertThat(rest.trace()).doesNotHaveAnyElementsOfTypes(TraceEntry.Narrowed.class);
  }

  @Test
  @DisplayName("of flex that do not support the request's tools give way to endpoints that do")
  void softFirst() {
    var flex =
        endpointBuilder("a/flex", "m")
            .serviceTier("flex")
            .parameters(Parameter.ALL & ~Parameter.TOOLS.bit())
            .build();
    assertThat(
            tried(
                catalog(tier("a", null), flex),
                queryFor("m").tier(ServiceTier.FLEX).parameters(Parameter.TOOLS.bit())))
        .containsExactly("a");
  }
}
