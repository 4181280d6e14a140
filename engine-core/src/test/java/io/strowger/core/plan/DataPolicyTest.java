package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
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
  private static final Endpoint CLEAN = privacyEndpoint("clean", "m", false, false, "3");
  private static final Endpoint KEEPS = privacyEndpoint("keeps", "m", true, false, "2");
  private static final Endpoint TRAINS = privacyEndpoint("trains", "m", true, true, "1");
  private static final Endpoint FREE = privacyEndpoint("free", "m", true, true, "0");
  private static final Catalog ALL = TestPlans.catalog(CLEAN, KEEPS, TRAINS, FREE);

  private static Endpoint privacyEndpoint(
      String slug, String model, boolean retains, boolean trains, String price) {
    var provider = new ProviderInfo(slug, slug, retains, trains, null, false);
    return Endpoint.builder(model, provider).pricing(perMillion(price, price)).build();
  }

  private static RoutingQuery.Builder queryWith(ProviderPreferences.Builder preferences) {
    return queryFor("m").preferences(preferences.build());
  }

  private static RoutingQuery.Builder queryWithRules(AccountRules.Builder rules) {
    return queryFor("m").account(rules.build());
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
    @DisplayName("deny drops providers that may train on prompts, and the trace says so")
    void deny() {
      var plan = plan(ALL, queryWith(preferences().denyDataCollection(true)));
      assertThat(tried(plan)).containsExactlyInAnyOrder("clean", "keeps");
      assertThat(plan.trace())
          .contains(excluded("m@trains", "provider.data_collection", "may train on prompts"));
    }

    @Proves("routing.preference.data_collection")
    @Test
    @DisplayName("allow drops no provider")
    void allow() {
      assertThat(tried(ALL, queryWith(preferences().denyDataCollection(false)))).hasSize(4);
    }

    @Proves({
      "provider.data_collection",
      "routing.match.excluded_by",
      "resources.error.availability.404"
    })
    @Test
    @DisplayName("deny leads to 404 data_policy:training when all providers may train")
    void nobody() {
      assertPrivate(
          refused(
              TestPlans.catalog(TRAINS, FREE), queryWith(preferences().denyDataCollection(true))),
          "provider.data_collection",
          "data_policy:training");
    }
  }

  @Nested
  @DisplayName("The training rules of an account")
  class Training {
    @Proves("routing.lists.training")
    @ParameterizedTest(name = "free denied {0}, paid denied {1}: {2}")
    @DisplayName("apply to free and paid endpoints separately")
    @CsvSource({
      "false, false, clean keeps trains free",
      "true, false, clean keeps trains",
      "false, true, clean keeps free",
      "true, true, clean keeps",
    })
    void switches(boolean free, boolean paid, String expected) {
      var rules = AccountRules.builder();
      if (free) {
        rules.denyFreeTraining();
      }
      if (paid) {
        rules.denyPaidTraining();
      }
      assertThat(tried(ALL, queryWithRules(rules))).containsExactlyInAnyOrder(expected.split(" "));
    }

    @Proves("routing.lists.training")
    @Test
    @DisplayName("treat as free only endpoints without any price")
    void whatIsFree() {
      var provider = new ProviderInfo("p", "p", true, true, null, false);
      var onePicodollar = new UnitPrice(1);
      var perImage =
          Endpoint.builder("m", provider)
              .pricing(Pricing.builder().set(Price.IMAGE, onePicodollar).build())
              .build();
      var atNight =
          Endpoint.builder("m", provider)
              .tag("p/night")
              .pricing(
                  Pricing.builder()
                      .override(
                          new Pricing.Override(
                              null, 2200, 600, Map.of(Price.PROMPT, onePicodollar)))
                      .build())
              .build();
      var catalog = TestPlans.catalog(perImage, atNight);
      assertThat(tried(catalog, queryWithRules(AccountRules.builder().denyFreeTraining())))
          .hasSize(2);
      assertPrivate(
          refused(catalog, queryWithRules(AccountRules.builder().denyPaidTraining())),
          "account.training",
          "data_policy:training");
    }
  }

  @Nested
  @DisplayName("zdr")
  class Zdr {
    @Proves("routing.preference.zdr")
    @Test
    @DisplayName("drops providers that may keep prompts when the caller asks for it")
    void byTheCaller() {
      var plan = plan(ALL, queryWith(preferences().zdr(true)));
      assertThat(tried(plan)).containsExactly("clean");
      assertThat(plan.trace()).contains(excluded("m@keeps", "provider.zdr", "may keep prompts"));
    }

    @Proves({"routing.preference.zdr", "routing.lists.ZD-1"})
    @Test
    @DisplayName("ZD-1 of the account is not lifted by a caller's false")
    void zd1() {
      var query =
          queryWith(preferences().zdr(false))
              .account(AccountRules.builder().zdr(allGroups()).build());
      assertThat(tried(ALL, query)).containsExactly("clean");
      assertPrivate(refused(TestPlans.catalog(KEEPS), query), "account.zdr", "data_policy:zdr");
    }

    @Proves({"routing.candidates.3", "routing.byok.BY-5"})
    @Test
    @DisplayName("BY-5 applies to BYOK keys as well")
    void by5() {
      var key = new ByokKeyRef("k", "keeps", false, 0, true, null);
      assertThat(tried(TestPlans.catalog(KEEPS), queryFor("m").byokKeys(List.of(key))))
          .isNotEmpty();
      assertPrivate(
          refused(
              TestPlans.catalog(KEEPS), queryWith(preferences().zdr(true)).byokKeys(List.of(key))),
          "provider.zdr",
          "data_policy:zdr");
    }

    @Proves("routing.lists.zdr.groups")
    @ParameterizedTest(name = "{0} belongs to {1}")
    @DisplayName("of an account applies by the author of the model")
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
      var catalog = TestPlans.catalog(privacyEndpoint("keeps", model, true, false, "1"));
      for (String excludedGroup : allGroups()) {
        var query =
            queryFor(model).account(AccountRules.builder().zdr(List.of(excludedGroup)).build());
        assertThat(tried(catalog, query))
            .as(excludedGroup)
            .hasSize(excludedGroup.equals(group) ? 0 : 1);
      }
    }

    private List<String> allGroups() {
      return List.of("anthropic", "openai", "google", "xai", "other");
    }
  }

  @Nested
  @DisplayName("enforce_distillable_text")
  class Distillable {
    private final Catalog both =
        Catalog.builder(TestPlans.VERSION)
            .add(
                ModelInfo.builder("open").distillable(true).build(),
                List.of(privacyEndpoint("a", "open", true, true, "1")))
            .add(
                ModelInfo.builder("closed").build(),
                List.of(privacyEndpoint("a", "closed", true, true, "1")))
            .build();

    @Proves({"provider.enforce_distillable_text", "routing.preference.enforce_distillable_text"})
    @Test
    @DisplayName("drops models whose author does not allow it")
    void drops() {
      var wanted = preferences().enforceDistillableText(true).build();
      var plan = plan(both, queryFor("closed", "open").preferences(wanted));
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(candidate -> candidate.endpoint().id())
          .containsExactly("open@a");
      assertThat(plan.trace())
          .contains(
              excluded(
                  "closed@a",
                  "provider.enforce_distillable_text",
                  "its author does not allow distilling its text"));
      var error = refused(both, queryFor("closed").preferences(wanted)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
      assertThat(error.availability().has("excluded_by")).isFalse();
    }

    @Proves("routing.preference.enforce_distillable_text")
    @Test
    @DisplayName("drops none when it is false")
    void allows() {
      assertThat(tried(both, queryFor("closed", "open"))).hasSize(2);
    }
  }
}
