package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@DisplayName("The models that a request names")
class RequestedModelsTest {
  private static final Catalog CATALOG =
      Catalog.builder(TestPlans.VERSION)
          .add(
              ModelInfo.builder("acme/large").aliases(List.of("acme/big")).build(),
              List.of(endpoint("a", "acme/large", "1")))
          .add(
              ModelInfo.builder("acme/large:free").build(),
              List.of(endpoint("f", "acme/large:free", "0")))
          .add(ModelInfo.builder("acme/larger").build(), List.of(endpoint("c", "acme/larger", "1")))
          .add(
              ModelInfo.builder("acme/largest").isHidden(true).build(),
              List.of(endpoint("d", "acme/largest", "1")))
          .add(ModelInfo.builder("zeta/small").build(), List.of(endpoint("b", "zeta/small", "9")))
          .add(ModelInfo.builder("zeta/none").build(), List.of())
          .build();

  private static List<Endpoint> endpointsOf(String model, int count) {
    var endpoints = new ArrayList<Endpoint>();
    for (int i = 0; i < count; i++) {
      endpoints.add(endpoint(model + i, model, Integer.toString(i + 1)));
    }
    return endpoints;
  }

  @Proves({"chat.models", "routing.candidates.1"})
  @Test
  @DisplayName("are tried in the caller's order, whatever they cost")
  void inOrder() {
    assertThat(tried(CATALOG, queryFor("zeta/small", "acme/large"))).containsExactly("b", "a");
    assertThat(tried(CATALOG, queryFor("acme/large", "zeta/small"))).containsExactly("a", "b");
  }

  @Proves({"chat.model", "routing.candidates.1", "routing.variant.alias"})
  @Test
  @DisplayName("are found by alias and in any letter case, and one named twice counts once")
  void aliases() {
    assertThat(tried(CATALOG, queryFor("Acme/BIG", "acme/large", "zeta/small")))
        .containsExactly("a", "b");
  }

  @Proves("routing.variant.static")
  @Test
  @DisplayName("may be static variants, which are models of their own")
  void staticVariants() {
    assertThat(tried(CATALOG, queryFor("acme/large:free"))).containsExactly("f");
  }

  @Test
  @DisplayName("may be skipped when another one can be served")
  void skipped() {
    assertThat(tried(CATALOG, queryFor("zeta/none", "acme/large"))).containsExactly("a");
  }

  @Nested
  @DisplayName("that do not exist")
  class Unknown {
    @Proves({"resources.error.availability", "resources.error.availability.400", "open.18"})
    @Test
    @DisplayName("lead to 400 model_not_found with up to three similar names, without hidden ones")
    void similar() {
      var error = refused(CATALOG, queryFor("acme/largee")).error();
      assertThat(error.code()).isEqualTo(ErrorCode.MODEL_NOT_FOUND);
      assertThat(error.code().status()).isEqualTo(400);
      assertThat(error.message())
          .isEqualTo("No model is called \"acme/largee\"; similar names: acme/large, acme/larger");
      assertThat(error.availability())
          .isEqualTo(
              Json.object()
                  .put("code", "model_not_found")
                  .put("retryable", false)
                  .put("requested_models", Json.array(Json.of("acme/largee")))
                  .build());
    }

    @Test
    @DisplayName("lead to a suggestion also for a name without author or with an unknown variant")
    void authorOrVariant() {
      assertThat(refused(CATALOG, queryFor("small")).error().message())
          .endsWith("similar names: zeta/small");
      assertThat(refused(CATALOG, queryFor("zeta/small:extended")).error().message())
          .startsWith("No model is called \"zeta/small:extended\"")
          .endsWith("similar names: zeta/small");
    }

    @Test
    @DisplayName(
        "lead to no suggestion when no name is similar, and are cut in the error when they are"
            + " long")
    void nothingClose() {
      assertThat(refused(CATALOG, queryFor("something/else")).error().message())
          .isEqualTo("No model is called \"something/else\"");
      assertThat(refused(CATALOG, queryFor("x".repeat(100_000))).error().message())
          .endsWith("xxx...\"")
          .hasSize(104);
    }

    @Test
    @DisplayName("fail the request even if other models exist, and are all named in the error")
    void oneOfSeveral() {
      var error =
          refused(CATALOG, queryFor("acme/large", "no/one", "zeta/small", "no/two")).error();
      assertThat(error.code()).isEqualTo(ErrorCode.MODEL_NOT_FOUND);
      assertThat(error.message()).contains("\"no/one\"", "\"no/two\"");
    }

    @Test
    @DisplayName("lead to an invalid request when no model is named at all")
    void noName() {
      var error = refused(CATALOG, queryFor()).error();
      assertThat(error.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    }
  }

  @Proves("resources.error.availability.404")
  @Test
  @DisplayName("that have no endpoints lead to 404 no_endpoints")
  void noEndpoints() {
    var error = refused(CATALOG, queryFor("zeta/none")).error();
    assertThat(error.code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
    assertThat(error.message()).contains("zeta/none has no endpoint");
  }

  @Nested
  @DisplayName("get at most ten attempts")
  class AtMostTen {
    @Proves("open.40")
    @Test
    @DisplayName("for ten endpoints all, for eleven ten, with an entry in the trace for the rest")
    void ten() {
      assertThat(tried(catalog(endpointsOf("m", 10)), queryFor("m"))).hasSize(10);
      var plan = plan(catalog(endpointsOf("m", 11)), queryFor("m"));
      assertThat(tried(plan)).hasSize(10);
      assertThat(plan.trace()).contains(new TraceEntry.Narrowed("m", "max_attempts", 10, 1));
    }

    @Proves("open.40")
    @Test
    @DisplayName("of which each later model keeps one")
    void laterModels() {
      var endpoints = new ArrayList<>(endpointsOf("m", 20));
      endpoints.addAll(endpointsOf("n", 20));
      endpoints.addAll(endpointsOf("o", 20));
      var plan = (RoutePlan.Attempts) plan(catalog(endpoints), queryFor("m", "n", "o"));
      assertThat(plan.candidates())
          .extracting(candidate -> candidate.endpoint().model())
          .containsExactly("m", "m", "m", "m", "m", "m", "m", "m", "n", "o");
    }

    @Test
    @DisplayName("also when more than ten models are named")
    void manyModels() {
      var endpoints = new ArrayList<Endpoint>();
      String[] names = new String[12];
      for (int i = 0; i < names.length; i++) {
        names[i] = "m" + i;
        endpoints.addAll(endpointsOf(names[i], 2));
      }
      var plan = (RoutePlan.Attempts) plan(catalog(endpoints), queryFor(names));
      assertThat(plan.candidates())
          .extracting(candidate -> candidate.endpoint().model())
          .containsExactly(List.of(names).subList(0, 10).toArray(new String[0]));
    }
  }

  @Test
  @DisplayName("must be of the planner's own catalog, otherwise the query is rejected")
  void otherCatalog() {
    var query = RoutingQuery.builder("another").build();
    Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> new Planner(CATALOG).plan(query))
        .withMessageContaining("another");
  }

  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  @DisplayName("that do not exist are named in the error up to ten, and the rest is counted")
  void manyUnknown() {
    String[] names = new String[300_000];
    Arrays.setAll(names, i -> "acme/lagre" + i);
    assertThat(refused(CATALOG, queryFor(names)).error().message())
        .contains("acme/lagre9")
        .doesNotContain("acme/lagre10")
        .endsWith("; and 299990 more");
  }
}
