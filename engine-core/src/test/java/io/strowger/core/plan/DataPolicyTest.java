package io.strowger.core.plan;

import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.excluded;
import static io.strowger.core.plan.PlanWords.perMillion;
import static io.strowger.core.plan.PlanWords.plan;
import static io.strowger.core.plan.PlanWords.prefer;
import static io.strowger.core.plan.PlanWords.refused;
import static io.strowger.core.plan.PlanWords.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.ByokKeyRef;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Data policy")
class DataPolicyTest {
  private static final Endpoint CLEAN = at("clean", "m", false, false, "3");
  private static final Endpoint KEEPS = at("keeps", "m", true, false, "2");
  private static final Endpoint TRAINS = at("trains", "m", true, true, "1");
  private static final Endpoint FREE = at("free", "m", true, true, "0");
  private static final Catalog ALL = PlanWords.catalog(CLEAN, KEEPS, TRAINS, FREE);

  private static Endpoint at(
      String slug, String model, boolean retains, boolean trains, String price) {
    var provider = new ProviderInfo(slug, slug, retains, trains, null, false);
    return Endpoint.builder(model, provider).pricing(perMillion(price, price)).build();
  }

  private static RoutingQuery.Builder asking(ProviderPreferences.Builder preferences) {
    return ask("m").preferences(preferences.build());
  }

  private static RoutingQuery.Builder account(AccountRules.Builder rules) {
    return ask("m").account(rules.build());
  }

  private static void assertPrivate(RoutePlan.NoRoute none, String rule, String word) {
    assertThat(none.error().code()).isEqualTo(ErrorCode.PRIVACY_RESTRICTED);
    assertThat(none.error().code().status()).isEqualTo(404);
    var availability = none.error().availability();
    assertThat(availability.text("code")).isEqualTo("privacy_restricted");
    assertThat(availability.get("excluded_by")).isEqualTo(Json.array(Json.of(word)));
    assertThat(availability.object("constraint"))
        .isNotNull()
        .satisfies(constraint -> assertThat(constraint.text("field")).isEqualTo(rule));
  }

  @Nested
  @DisplayName("data_collection")
  class DataCollection {
    @Proves({"provider.data_collection", "routing.preference.data_collection"})
    @Test
    @DisplayName("deny drops who may train on prompts, and says so")
    void deny() {
      var plan = plan(ALL, asking(prefer().denyDataCollection(true)));
      assertThat(tried(plan)).containsExactlyInAnyOrder("clean", "keeps");
      assertThat(plan.trace())
          .contains(excluded("m@trains", "provider.data_collection", "may train on prompts"));
    }

    @Proves("routing.preference.data_collection")
    @Test
    @DisplayName("allow drops nobody")
    void allow() {
      assertThat(tried(ALL, asking(prefer().denyDataCollection(false)))).hasSize(4);
    }

    @Proves({
      "provider.data_collection",
      "routing.match.excluded_by",
      "resources.error.availability.404"
    })
    @Test
    @DisplayName("deny is 404 data_policy:training when everybody may")
    void nobody() {
      assertPrivate(
          refused(PlanWords.catalog(TRAINS, FREE), asking(prefer().denyDataCollection(true))),
          "provider.data_collection",
          "data_policy:training");
    }
  }

  @Nested
  @DisplayName("of an account about training")
  class Training {
    @Proves("routing.lists.training")
    @ParameterizedTest(name = "free denied {0}, paid denied {1}: {2}")
    @DisplayName("speaks of free endpoints and of others by themselves")
    @CsvSource({
      "false, false, clean keeps trains free",
      "true, false, clean keeps trains",
      "false, true, clean keeps free",
      "true, true, clean keeps",
    })
    void switches(boolean free, boolean paid, String left) {
      var rules = AccountRules.builder();
      if (free) {
        rules.denyFreeTraining();
      }
      if (paid) {
        rules.denyPaidTraining();
      }
      assertThat(tried(ALL, account(rules))).containsExactlyInAnyOrder(left.split(" "));
    }

    @Proves("routing.lists.training")
    @Test
    @DisplayName("calls free only what never costs anything")
    void whatIsFree() {
      var provider = new ProviderInfo("p", "p", true, true, null, false);
      var costly = new UnitPrice(1);
      var perImage =
          Endpoint.builder("m", provider)
              .pricing(Pricing.builder().set(Price.IMAGE, costly).build())
              .build();
      var atNight =
          Endpoint.builder("m", provider)
              .tag("p/night")
              .pricing(
                  Pricing.builder()
                      .override(new Pricing.Override(null, 2200, 600, Map.of(Price.PROMPT, costly)))
                      .build())
              .build();
      var catalog = PlanWords.catalog(perImage, atNight);
      assertThat(tried(catalog, account(AccountRules.builder().denyFreeTraining()))).hasSize(2);
      assertPrivate(
          refused(catalog, account(AccountRules.builder().denyPaidTraining())),
          "account.training",
          "data_policy:training");
    }
  }

  @Nested
  @DisplayName("zdr")
  class Zdr {
    @Proves("routing.preference.zdr")
    @Test
    @DisplayName("drops who may keep prompts when the caller asks for it")
    void byTheCaller() {
      var plan = plan(ALL, asking(prefer().zdr(true)));
      assertThat(tried(plan)).containsExactly("clean");
      assertThat(plan.trace()).contains(excluded("m@keeps", "provider.zdr", "may keep prompts"));
    }

    @Proves({"routing.preference.zdr", "routing.lists.ZD-1"})
    @Test
    @DisplayName("ZD-1 of the account is not lifted by a caller who says false")
    void zd1() {
      var query = asking(prefer().zdr(false)).account(AccountRules.builder().zdr(all()).build());
      assertThat(tried(ALL, query)).containsExactly("clean");
      assertPrivate(refused(PlanWords.catalog(KEEPS), query), "account.zdr", "data_policy:zdr");
    }

    @Proves({"routing.candidates.3", "routing.byok.BY-5"})
    @Test
    @DisplayName("BY-5 holds for the customer's own keys as well")
    void by5() {
      var key = new ByokKeyRef("k", "keeps", false, 0, true, null);
      assertThat(tried(PlanWords.catalog(KEEPS), ask("m").byokKeys(List.of(key)))).isNotEmpty();
      assertPrivate(
          refused(PlanWords.catalog(KEEPS), asking(prefer().zdr(true)).byokKeys(List.of(key))),
          "provider.zdr",
          "data_policy:zdr");
    }

    @Proves("routing.lists.zdr.groups")
    @ParameterizedTest(name = "{0} belongs to {1}")
    @DisplayName("of an account goes by the author of the model")
    @CsvSource({
      "anthropic/m, anthropic",
      "Anthropic/M, anthropic",
      "openai/m, openai",
      "google/m, google",
      "x-ai/m, xai",
      "xai/m, xai",
      "acme/m, other",
      "anthropic, other",
      "open-ai/m, other",
      "other/m, other",
      "acme/anthropic, other",
    })
    void groups(String model, String group) {
      var catalog = PlanWords.catalog(at("keeps", model, true, false, "1"));
      for (String one : all()) {
        var query = ask(model).account(AccountRules.builder().zdr(List.of(one)).build());
        assertThat(tried(catalog, query)).as(one).hasSize(one.equals(group) ? 0 : 1);
      }
    }

    private List<String> all() {
      return List.of("anthropic", "openai", "google", "xai", "other");
    }
  }

  @Nested
  @DisplayName("enforce_distillable_text")
  class Distillable {
    private final Catalog both =
        Catalog.builder(PlanWords.VERSION)
            .add(
                ModelInfo.builder("open").distillable(true).build(),
                List.of(at("a", "open", true, true, "1")))
            .add(ModelInfo.builder("closed").build(), List.of(at("a", "closed", true, true, "1")))
            .build();

    @Proves({"provider.enforce_distillable_text", "routing.preference.enforce_distillable_text"})
    @Test
    @DisplayName("drops models whose author does not allow it")
    void drops() {
      var wanted = prefer().enforceDistillableText(true).build();
      var plan = plan(both, ask("closed", "open").preferences(wanted));
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(candidate -> candidate.endpoint().id())
          .containsExactly("open@a");
      assertThat(plan.trace())
          .contains(
              excluded(
                  "closed@a",
                  "provider.enforce_distillable_text",
                  "its author does not allow distilling its text"));
      var error = refused(both, ask("closed").preferences(wanted)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
      assertThat(error.availability().has("excluded_by")).isFalse();
    }

    @Proves("routing.preference.enforce_distillable_text")
    @Test
    @DisplayName("drops none when it is false")
    void allows() {
      assertThat(tried(both, ask("closed", "open"))).hasSize(2);
    }
  }
}
