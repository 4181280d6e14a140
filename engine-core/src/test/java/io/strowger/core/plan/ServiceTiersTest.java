package io.strowger.core.plan;

import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.at;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.perMillion;
import static io.strowger.core.plan.PlanWords.plan;
import static io.strowger.core.plan.PlanWords.prefer;
import static io.strowger.core.plan.PlanWords.tried;
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
    return at(tag, "m").serviceTier(tier).pricing(perMillion("1", "1")).build();
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
  @DisplayName("are candidates as the table of the fact sheet's section 9 says")
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
      String pool) {
    var preferences =
        ProviderPreferences.builder()
            .order(names(order))
            .only(only == null ? null : names(only))
            .ignore(names(ignore))
            .build();
    assertThat(tried(TIERS, ask(model).tier(tier).preferences(preferences)))
        .containsExactlyInAnyOrder(pool.split(" "));
  }

  @Test
  @DisplayName("that are admitted are listed by their provider's name, the priority one first")
  void listed() {
    var order = prefer().order(List.of("a")).allowFallbacks(false).build();
    assertThat(tried(TIERS, ask("m").tier(ServiceTier.PRIORITY).preferences(order)))
        .containsExactly("a/priority", "a");
    assertThat(tried(TIERS, ask("m").preferences(order))).containsExactly("a");
    assertThat(tried(TIERS, ask("m:nitro").preferences(order))).containsExactly("a");
  }

  @Test
  @DisplayName("of an account's list are those of its providers")
  void accounts() {
    var rules = AccountRules.builder().allowProviders(List.of("a")).build();
    assertThat(tried(TIERS, ask("m").tier(ServiceTier.PRIORITY).account(rules)))
        .containsExactlyInAnyOrder("a", "a/priority");
  }

  @Proves("routing.tier.flex")
  @Test
  @DisplayName("of flex alone are narrowed to behind the rules, per model, and noted")
  void flex() {
    var other = at("c", "n").pricing(perMillion("1", "1")).build();
    var flexible = catalog(tier("a", null), tier("a/flex", "flex"), other);
    var plan = plan(flexible, ask("m", "n").tier(ServiceTier.FLEX));
    assertThat(tried(plan)).containsExactly("a/flex", "c");
    assertThat(plan.trace()).contains(new TraceEntry.Narrowed("m", "service_tier", 1, 1));
    var without = prefer().ignore(List.of("a/flex")).build();
    var rest = plan(flexible, ask("m").tier(ServiceTier.FLEX).preferences(without));
    assertThat(tried(rest)).containsExactly("a");
    assertThat(rest.trace()).doesNotHaveAnyElementsOfTypes(TraceEntry.Narrowed.class);
  }

  @Test
  @DisplayName("of flex without the tools a request has give way to endpoints that have them")
  void softFirst() {
    var flex =
        at("a/flex", "m")
            .serviceTier("flex")
            .parameters(Parameter.ALL & ~Parameter.TOOLS.bit())
            .build();
    assertThat(
            tried(
                catalog(tier("a", null), flex),
                ask("m").tier(ServiceTier.FLEX).parameters(Parameter.TOOLS.bit())))
        .containsExactly("a");
  }
}
