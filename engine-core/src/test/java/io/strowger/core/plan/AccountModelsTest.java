package io.strowger.core.plan;

import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.endpoint;
import static io.strowger.core.plan.PlanWords.excluded;
import static io.strowger.core.plan.PlanWords.plan;
import static io.strowger.core.plan.PlanWords.prefer;
import static io.strowger.core.plan.PlanWords.refused;
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

  private static List<String> left(AccountRules.Builder rules) {
    var query = ask("acme/large", "acme/large:free", "acme/small", "zeta/large");
    return switch (plan(CATALOG, query.account(rules.build()))) {
      case RoutePlan.Attempts attempts ->
          attempts.candidates().stream().map(candidate -> candidate.endpoint().model()).toList();
      case RoutePlan.NoRoute none -> List.of();
    };
  }

  @Test
  @DisplayName("allows are those in every one of its lists")
  void allowed() {
    assertThat(left(AccountRules.builder().allowModels(List.of("acme/*"))))
        .containsExactly("acme/large", "acme/large:free", "acme/small");
    assertThat(
            left(
                AccountRules.builder()
                    .allowModels(List.of("acme/*"))
                    .allowModels(List.of("*/LARGE"))))
        .containsExactly("acme/large", "acme/large:free");
    assertThat(left(AccountRules.builder().allowModels(List.of()))).isEmpty();
  }

  @Test
  @DisplayName("ignores are those in any of them, whatever else allows them")
  void ignored() {
    var rules = AccountRules.builder().allowModels(List.of("acme/*"));
    assertThat(left(rules.ignoreModels(List.of("acme/large:free")).ignoreModels(List.of("*small"))))
        .containsExactly("acme/large");
  }

  @Test
  @DisplayName("does not have are 404, saying which it has")
  void refusal() {
    var rules = AccountRules.builder().allowModels(List.of("acme/*", "beta/one")).build();
    var none = refused(CATALOG, ask("zeta/large").account(rules));
    assertThat(none.error().code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
    assertThat(none.error().message())
        .endsWith("zeta/large is served by p; account.allowed_models: permits acme/*, beta/one");
    assertThat(none.trace())
        .contains(excluded("zeta/large@p", "account.allowed_models", "permits acme/*, beta/one"));
    var ignoring = AccountRules.builder().ignoreModels(List.of("zeta/*")).build();
    assertThat(refused(CATALOG, ask("zeta/large").account(ignoring)).error().message())
        .endsWith("account.ignored_models: ignored");
  }

  @Nested
  @DisplayName("is refused, like everything else, with the words of")
  class ExcludedBy {
    private final Catalog two =
        catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("c", "n", "1"));

    private Json words(String... words) {
      return Json.array(Arrays.stream(words).map(Json::of).toList());
    }

    @Proves("routing.match.excluded_by")
    @Test
    @DisplayName("the rule that took the last endpoint, not of those before it")
    void last() {
      var wanted = prefer().only(List.of("b")).zdr(true).build();
      var error = refused(two, ask("m").preferences(wanted)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.PRIVACY_RESTRICTED);
      assertThat(error.availability().get("excluded_by")).isEqualTo(words("data_policy:zdr"));
    }

    @Test
    @DisplayName("every rule against those last endpoints, since to lift one would not help")
    void allOfTheLast() {
      var wanted =
          prefer()
              .zdr(true)
              .denyDataCollection(true)
              .quantizations(List.of("fp8"))
              .maxPrice(new PriceCaps(PlanWords.dollarsPerMillion("0.5"), null, null, null, null))
              .build();
      var error = refused(two, ask("m").preferences(wanted)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.PRIVACY_RESTRICTED);
      assertThat(error.availability().get("excluded_by"))
          .isEqualTo(words("data_policy:training", "data_policy:zdr", "quantization", "max_price"));
    }

    @Test
    @DisplayName("every model, each by its own last rule; the latest of those rules decides")
    void everyModel() {
      var wanted = prefer().ignore(List.of("a", "b")).quantizations(List.of("fp8")).build();
      var error = refused(two, ask("m", "n").preferences(wanted)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
      assertThat(error.availability().get("excluded_by"))
          .isEqualTo(words("allowed_providers", "quantization"));
    }
  }
}
