package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.tck.conformance.Proves;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The models an account")
class AccountModelsTest {
  private static final Catalog CATALOG =
      catalog(
          endpoint("p", "acme/large", "1"),
          endpoint("p", "acme/large:free", "0"),
          endpoint("p", "acme/small", "1"),
          endpoint("p", "zeta/large", "1"));

  private static List<String> allowedModels(AccountRules.Builder rules) {
    var query = queryFor("acme/large", "acme/large:free", "acme/small", "zeta/large");
    return switch (plan(CATALOG, query.account(rules.build()))) {
      case RoutePlan.Attempts attempts ->
          attempts.candidates().stream().map(candidate -> candidate.endpoint().model()).toList();
      case RoutePlan.NoRoute none -> List.of();
    };
  }

  @Test
  @DisplayName("allows are those that match every one of its lists")
  void allowed() {
    assertThat(allowedModels(AccountRules.builder().allowModels(List.of("acme/*"))))
        .containsExactly("acme/large", "acme/large:free", "acme/small");
    assertThat(
            allowedModels(
                AccountRules.builder()
                    .allowModels(List.of("acme/*"))
                    .allowModels(List.of("*/LARGE"))))
        .containsExactly("acme/large", "acme/large:free");
    assertThat(allowedModels(AccountRules.builder().allowModels(List.of()))).isEmpty();
  }

  @Test
  @DisplayName("ignores are those that match any of its lists, whatever else allows them")
  void ignored() {
    var rules = AccountRules.builder().allowModels(List.of("acme/*"));
    assertThat(
            allowedModels(
                rules.ignoreModels(List.of("acme/large:free")).ignoreModels(List.of("*small"))))
        .containsExactly("acme/large");
  }

  @Test
  @DisplayName("does not allow are refused with 404 and the models that it allows")
  void refusal() {
    var rules = AccountRules.builder().allowModels(List.of("acme/*", "beta/one")).build();
    var none = refused(CATALOG, queryFor("zeta/large").account(rules));
    assertThat(none.error().code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
    assertThat(none.error().message())
        .endsWith("zeta/large is served by p; account.allowed_models: permits acme/*, beta/one");
    assertThat(none.trace())
        .contains(excluded("zeta/large@p", "account.allowed_models", "permits acme/*, beta/one"));
    var ignoring = AccountRules.builder().ignoreModels(List.of("zeta/*")).build();
    assertThat(refused(CATALOG, queryFor("zeta/large").account(ignoring)).error().message())
        .endsWith("account.ignored_models: ignored");
  }

  @Nested
  @DisplayName("is refused have in excluded_by, as with any rule,")
  class ExcludedBy {
    private final Catalog twoModels =
        catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("c", "n", "1"));

    private Json ruleNames(String... ruleNames) {
      return Json.array(Arrays.stream(ruleNames).map(Json::of).toList());
    }

    @Proves("routing.match.excluded_by")
    @Test
    @DisplayName("the rule that dropped the last endpoint, not those before it")
    void last() {
      var preferences = preferences().only(List.of("b")).zdr(true).build();
      var error = refused(twoModels, queryFor("m").preferences(preferences)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.PRIVACY_RESTRICTED);
      assertThat(error.availability().get("excluded_by")).isEqualTo(ruleNames("data_policy:zdr"));
    }

    @Test
    @DisplayName("every rule that drops the last endpoints, since lifting only one would not help")
    void allOfTheLast() {
      var preferences =
          preferences()
              .zdr(true)
              .denyDataCollection(true)
              .quantizations(List.of("fp8"))
              .maxPrice(new PriceCaps(TestPlans.dollarsPerMillion("0.5"), null, null, null, null))
              .build();
      var error = refused(twoModels, queryFor("m").preferences(preferences)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.PRIVACY_RESTRICTED);
      assertThat(error.availability().get("excluded_by"))
          .isEqualTo(
              ruleNames("data_policy:training", "data_policy:zdr", "quantization", "max_price"));
    }

    @Test
    @DisplayName(
        "the last rule of every model, where the latest of these rules determines the error")
    void everyModel() {
      var preferences =
          preferences().ignore(List.of("a", "b")).quantizations(List.of("fp8")).build();
      var error = refused(twoModels, queryFor("m", "n").preferences(preferences)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
      assertThat(error.availability().get("excluded_by"))
          .isEqualTo(ruleNames("allowed_providers", "quantization"));
    }
  }
}
