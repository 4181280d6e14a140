package io.strowger.core.plan;

import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.at;
import static io.strowger.core.plan.PlanWords.excluded;
import static io.strowger.core.plan.PlanWords.plan;
import static io.strowger.core.plan.PlanWords.refused;
import static io.strowger.core.plan.PlanWords.tried;
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

@DisplayName("A request that says there is to be no reasoning")
class ReasoningRequiredTest {
  private static final String WHY = "always reasons";

  /** Two of a family, of which the newer one always reasons, and one that never does. */
  private static final Catalog CATALOG =
      Catalog.builder(PlanWords.VERSION)
          .add(
              model("lab/old", false).family("lab/deep").createdAt(Instant.EPOCH).build(),
              by("old"))
          .add(
              model("lab/deep", true)
                  .family("lab/deep")
                  .createdAt(Instant.EPOCH.plusSeconds(1))
                  .aliases(List.of("lab/deep-alias"))
                  .build(),
              List.of(at("a", "lab/deep").build(), at("b", "lab/deep").build()))
          .add(model("lab/plain", false).build(), by("plain"))
          .build();

  private static ModelInfo.Builder model(String id, boolean mandatory) {
    return ModelInfo.builder(id)
        .reasoning(new ModelInfo.Reasoning(mandatory, List.of("low", "high"), false));
  }

  private static List<Endpoint> by(String model) {
    return List.of(at("c", "lab/" + model).build());
  }

  private static RoutingQuery.Builder off(String... models) {
    return ask(models).reasoningOffMember("reasoning");
  }

  @Proves("routing.variant.latest.reasoning")
  @Test
  @DisplayName("is refused where the model it names cannot but reason, and is told which member")
  void refusedByName() {
    for (String name : List.of("lab/deep", "lab/deep-alias", "lab/deep:nitro")) {
      var none = refused(CATALOG, off(name));
      assertThat(none.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
      assertThat(none.error().problems())
          .extracting(problem -> problem.pointer().toString())
          .containsExactly("/reasoning");
      assertThat(none.error().message())
          .contains("must not turn reasoning off: lab/deep is served by a, b; reasoning: ")
          .endsWith(WHY);
      assertThat(none.trace())
          .contains(
              excluded("lab/deep@a", "reasoning", WHY), excluded("lab/deep@b", "reasoning", WHY));
    }
  }

  @Test
  @DisplayName("goes to the next model it names that need not reason")
  void nextModel() {
    var plan = plan(CATALOG, off("lab/deep", "lab/plain"));

    assertThat(tried(plan)).containsExactly("c");
    assertThat(plan.trace()).contains(excluded("lab/deep@a", "reasoning", WHY));
  }

  @Proves("routing.variant.latest.reasoning")
  @Test
  @DisplayName("is let through where it asks for the latest of a family")
  void latest() {
    assertThat(tried(CATALOG, off("~lab/deep-latest"))).containsExactlyInAnyOrder("a", "b");
    assertThat(tried(CATALOG, off("~lab/deep-latest", "lab/deep"))).hasSize(2);
  }

  @Test
  @DisplayName("is held to the name it gives first")
  void firstName() {
    assertThat(refused(CATALOG, off("lab/deep", "~lab/deep-latest")).error().problems())
        .extracting(Problem::pointer)
        .hasSize(1);
  }

  @Test
  @DisplayName("is no different where the model need not reason")
  void optional() {
    assertThat(tried(CATALOG, off("lab/plain"))).containsExactly("c");
    assertThat(tried(CATALOG, off("lab/old"))).containsExactly("c");
  }

  @Test
  @DisplayName("is another than one that says nothing")
  void silent() {
    assertThat(tried(CATALOG, ask("lab/deep"))).hasSize(2);
  }
}
