package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
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

@DisplayName("A conversation with a part of unknown type")
class UnknownPartTest {
  private static final JsonPointer POINTER = JsonPointer.parse("/messages/1/content/0");

  private static Endpoint endpointWithProtocol(String protocol) {
    var provider = new ProviderInfo(name(protocol), protocol, true, true, null, false, protocol);
    return Endpoint.builder("m", provider).build();
  }

  private static String name(String protocol) {
    return protocol.isEmpty() ? "unstated" : protocol;
  }

  private static RoutingQuery.Builder queryWithPart(String protocol, String type) {
    return queryFor("m").unknownPart(new UnknownPart(protocol, POINTER, type));
  }

  private static final Catalog ALL =
      catalog(
          endpointWithProtocol("openai-chat"),
          endpointWithProtocol("openai-responses"),
          endpointWithProtocol("anthropic-messages"),
          endpointWithProtocol("gemini"),
          endpointWithProtocol("house-chat"), // a protocol of the host
          endpointWithProtocol("simulated"),
          endpointWithProtocol(""));

  @Test
  @DisplayName(
      "goes to endpoints of its own dialect, and the trace says why the others are dropped")
  void ownDialect() {
    var plan = plan(ALL, queryWithPart("anthropic-messages", "tool_resutl"));
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
    assertThat(tried(ALL, queryWithPart("openai-responses", "x")))
        .containsExactlyInAnyOrder("openai-responses", "simulated", "unstated");
    assertThat(tried(ALL, queryFor("m"))).hasSize(7);
  }

  @Test
  @DisplayName("is refused with the position of the part when no endpoint of its dialect is left")
  void noneLeft() {
    Catalog catalog =
        catalog(endpointWithProtocol("openai-chat"), endpointWithProtocol("anthropic-messages"));
    var query = queryWithPart("anthropic-messages", "tool_resutl");
    assertThat(tried(catalog, query)).containsExactly("anthropic-messages");
    var error =
        refused(catalog, query.preferences(preferences().only(List.of("openai-chat")).build()))
            .error();
    assertThat(error.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(error.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.pointer()).isEqualTo(POINTER);
              assertThat(problem.value()).isEqualTo("tool_resutl");
              assertThat(problem.allowed())
                  .contains("must be of a type that is known here", "anthropic-messages");
            });
  }

  @Test
  @DisplayName("does not repeat in the error a type that is not a plain word")
  void unnamed() {
    var error =
        refused(catalog(endpointWithProtocol("gemini")), queryWithPart("anthropic-messages", ""))
            .error();
    assertThat(error.message()).contains("/messages/1/content/0", "part of unknown type");
  }
}
