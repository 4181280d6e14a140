package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Problem;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A request that turns reasoning off")
class ReasoningRequiredTest {
  private static final String REASON = "always reasons";

  /**
   * Two models of one family, the newer of which always reasons, and a third model that can be told
   * not to reason.
   */
  private static final Catalog CATALOG =
      Catalog.builder(TestPlans.VERSION)
          .add(
              model("lab/old", false).family("lab/deep").createdAt(Instant.EPOCH).build(),
              endpointsOf("old"))
          .add(
              model("lab/deep", true)
                  .family("lab/deep")
                  .createdAt(Instant.EPOCH.plusSeconds(1))
                  .aliases(List.of("lab/deep-alias"))
                  .build(),
              List.of(
                  endpointBuilder("a", "lab/deep").build(),
                  endpointBuilder("b", "lab/deep").build()))
          .add(model("lab/plain", false).build(), endpointsOf("plain"))
          .build();

  private static ModelInfo.Builder model(String id, boolean mandatory) {
    return ModelInfo.builder(id)
        .reasoning(new ModelInfo.Reasoning(mandatory, List.of("low", "high"), false));
  }

  private static List<Endpoint> endpointsOf(String model) {
    return List.of(endpointBuilder("c", "lab/" + model).build());
  }

  private static RoutingQuery.Builder reasoningOff(String... models) {
    return queryFor(models).reasoningOffMember("reasoning");
  }

  @Proves("routing.variant.latest.reasoning")
  @Test
  @DisplayName("is refused for a model that always reasons, with the member in the error")
  void refusedByName() {
    for (String name : List.of("lab/deep", "lab/deep-alias", "lab/deep:nitro")) {
      var none = refused(CATALOG, reasoningOff(name));
      assertThat(none.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
      assertThat(none.error().problems())
          .extracting(problem -> problem.pointer().toString())
          .containsExactly("/reasoning");
      assertThat(none.error().message())
          .contains("must not turn reasoning off: lab/deep is served by a, b; reasoning: ")
          .endsWith(REASON);
      assertThat(none.trace())
          .contains(
              excluded("lab/deep@a", "reasoning", REASON),
              excluded("lab/deep@b", "reasoning", REASON));
    }
  }

  @Test
  @DisplayName("goes to the next model in its list that can work without reasoning")
  void nextModel() {
    var plan = plan(CATALOG, reasoningOff("lab/deep", "lab/plain"));

    assertThat(tried(plan)).containsExactly("c");
    assertThat(plan.trace()).contains(excluded("lab/deep@a", "reasoning", REASON));
  }

  @Proves("routing.variant.latest.reasoning")
  @Test
  @DisplayName("is served when it asks for the latest model of a family")
  void latest() {
    assertThat(tried(CATALOG, reasoningOff("~lab/deep-latest")))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(tried(CATALOG, reasoningOff("~lab/deep-latest", "lab/deep"))).hasSize(2);
  }

  @Test
  @DisplayName("is judged by the first model that it names")
  void firstName() {
    assertThat(refused(CATALOG, reasoningOff("lab/deep", "~lab/deep-latest")).error().problems())
        .extracting(Problem::pointer)
        .hasSize(1);
  }

  @Test
  @DisplayName("is served when reasoning is optional for the model")
  void optional() {
    assertThat(tried(CATALOG, reasoningOff("lab/plain"))).containsExactly("c");
    assertThat(tried(CATALOG, reasoningOff("lab/old"))).containsExactly("c");
  }

  @Test
  @DisplayName("differs from a request that does not mention reasoning")
  void silent() {
    assertThat(tried(CATALOG, queryFor("lab/deep"))).hasSize(2);
  }
}
