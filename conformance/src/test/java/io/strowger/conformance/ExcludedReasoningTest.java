package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.conformance.DialectMatrixTest.Cell;
import io.strowger.simulated.Script;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that reasoning is excluded, with upstreams that send it in any case. Chat fact sheet,
 * section 2.
 */
@DisplayName("Reasoning that the caller excludes")
class ExcludedReasoningTest {
  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  static List<Cell> cells() {
    return DialectMatrixTest.cells();
  }

  /** Returns the ways to exclude reasoning. */
  private static Stream<UnaryOperator<ObjectNode>> exclusions() {
    return Stream.of(
        request -> request.set("reasoning", DialectClient.json("{'effort':'high','exclude':true}")),
        request -> request.set("reasoning", DialectClient.json("{'exclude':true}")),
        request -> request.put("include_reasoning", false));
  }

  @Proves("chat.member.include_reasoning")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("is not returned in any form, but billed; text and calls are returned")
  void excluded(Cell cell) {
    Script script =
        Script.builder()
            .reasoning("I wonder.")
            .text("Let me see.")
            .toolCall("call_one", "weather", "{\"city\":\"Oslo\"}")
            .tokens(100, 30)
            .tokenDetails(0, 12)
            .build();
    gateway.upstream.script("large", script);
    exclusions()
        .forEach(
            exclusion -> {
              ObjectNode request = exclusion.apply(cell.client().withTool(cell.hello(), "weather"));
              DialectGateway.TestResponse response =
                  gateway.post(cell.client(), request, cell.streaming());
              JsonNode answer = response.answer();
              DialectContent content = DialectContent.of(cell.client(), answer);
              assertThat(content.reasoning()).isEmpty();
              assertThat(content.text()).isEqualTo("Let me see.");
              assertThat(content.calls())
                  .extracting(DialectContent.Call::name)
                  .containsExactly("weather");
              assertThat(content.stop()).isEqualTo("tool_calls");
              assertThat(content.tokens().reasoning()).isEqualTo(12);
              assertThat(content.cost()).isEqualTo(0.00016);
              assertThat(response.body())
                  .doesNotContain(
                      "I wonder",
                      DialectMatrixTest.SIGNATURE,
                      "reasoning_details",
                      "\"reasoning\":\"",
                      "\"thinking\"",
                      "redacted_thinking",
                      "\"type\":\"reasoning\"",
                      "reasoning_text",
                      "reasoning_summary");
              assertThat(gateway.records.getLast().cost().toString()).isEqualTo("$0.00016");
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("is returned if only the older member excludes it and the newer one does not")
  void shown(Cell cell) {
    gateway.upstream.script("large", Script.builder().reasoning("I wonder.").text("So.").build());
    ObjectNode request = cell.hello().put("include_reasoning", false);
    request.set("reasoning", DialectClient.json("{'exclude':false}"));
    assertThat(gateway.post(cell.client(), request, cell.streaming()).content().reasoning())
        .isEqualTo("I wonder.");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("is removed also if a plugin takes part")
  void behindPlugins(Cell cell) {
    gateway.upstream.script("large", Script.builder().reasoning("I wonder.").text("{}").build());
    ObjectNode request = cell.hello().put("include_reasoning", false);
    request.set("plugins", DialectClient.json("[{'id':'response-healing'}]"));
    DialectGateway.TestResponse response = gateway.post(cell.client(), request, cell.streaming());
    assertThat(response.content().text()).isEqualTo("{}");
    assertThat(response.body()).doesNotContain("I wonder", DialectMatrixTest.SIGNATURE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("is removed also from an answer of the cache")
  void cached(Cell cell) {
    gateway.upstream.script("large", Script.builder().reasoning("I wonder.").text("So.").build());
    ObjectNode request = cell.hello().put("include_reasoning", false);
    request.put("stream", cell.streaming());
    Map<String, String> headers =
        Map.of("authorization", "Bearer " + Fixtures.APP_KEY, "x-router-cache", "true");
    gateway.post(cell.client(), request, headers).answer();
    DialectGateway.TestResponse again = gateway.post(cell.client(), request, headers);
    assertThat(gateway.upstream.requests()).isEqualTo(1);
    assertThat(again.content().text()).isEqualTo("So.");
    assertThat(again.body()).doesNotContain("I wonder", DialectMatrixTest.SIGNATURE);
  }
}
