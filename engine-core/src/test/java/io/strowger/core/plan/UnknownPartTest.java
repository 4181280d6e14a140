package io.strowger.core.plan;

import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.excluded;
import static io.strowger.core.plan.PlanWords.plan;
import static io.strowger.core.plan.PlanWords.prefer;
import static io.strowger.core.plan.PlanWords.refused;
import static io.strowger.core.plan.PlanWords.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.UnknownPart;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.JsonPointer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A conversation with a part of a type nobody here knows")
class UnknownPartTest {
  private static final JsonPointer AT = JsonPointer.parse("/messages/1/content/0");

  private static Endpoint by(String protocol) {
    var provider = new ProviderInfo(name(protocol), protocol, true, true, null, false, protocol);
    return Endpoint.builder("m", provider).build();
  }

  private static String name(String protocol) {
    return protocol.isEmpty() ? "unstated" : protocol;
  }

  private static RoutingQuery.Builder with(String protocol, String type) {
    return ask("m").unknownPart(new UnknownPart(protocol, AT, type));
  }

  private static final Catalog ALL =
      catalog(
          by("openai-chat"),
          by("openai-responses"),
          by("anthropic-messages"),
          by("gemini"),
          by("house-chat"), // of an embedder's own
          by("simulated"),
          by(""));

  @Test
  @DisplayName("goes to endpoints of its own dialect, and the others say why they are dropped")
  void own() {
    var plan = plan(ALL, with("anthropic-messages", "tool_resutl"));
    assertThat(tried(plan))
        .containsExactlyInAnyOrder("anthropic-messages", "simulated", "unstated");
    assertThat(plan.trace())
        .contains(
            excluded(
                "m@gemini",
                "unknown_part",
                "speaks gemini, which has no form for the part of type tool_resutl at"
                    + " /messages/1/content/0"),
            excluded(
                "m@house-chat",
                "unknown_part",
                "speaks house-chat, which has no form for the part of type tool_resutl at"
                    + " /messages/1/content/0"));
    assertThat(tried(ALL, with("openai-responses", "x")))
        .containsExactlyInAnyOrder("openai-responses", "simulated", "unstated");
    assertThat(tried(ALL, ask("m"))).hasSize(7);
  }

  @Test
  @DisplayName("is refused at the part where no endpoint of its dialect is left")
  void noneLeft() {
    Catalog catalog = catalog(by("openai-chat"), by("anthropic-messages"));
    var query = with("anthropic-messages", "tool_resutl");
    assertThat(tried(catalog, query)).containsExactly("anthropic-messages");
    var error =
        refused(catalog, query.preferences(prefer().only(List.of("openai-chat")).build())).error();
    assertThat(error.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(error.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.pointer()).isEqualTo(AT);
              assertThat(problem.value()).isEqualTo("tool_resutl");
              assertThat(problem.allowed())
                  .contains("must be of a type that is known here", "anthropic-messages");
            });
  }

  @Test
  @DisplayName("keeps what is no plain word to itself")
  void unnamed() {
    var error = refused(catalog(by("gemini")), with("anthropic-messages", "")).error();
    assertThat(error.message()).contains("/messages/1/content/0", "part of unknown type");
  }
}
