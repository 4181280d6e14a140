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

/** Upstreams here give their reasoning whatever they are told. Chat fact sheet, section 2. */
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

  /** The ways to say it. */
  private static Stream<UnaryOperator<ObjectNode>> wishes() {
    return Stream.of(
        request -> request.set("reasoning", DialectFront.json("{'effort':'high','exclude':true}")),
        request -> request.set("reasoning", DialectFront.json("{'exclude':true}")),
        request -> request.put("include_reasoning", false));
  }

  @Proves("chat.member.include_reasoning")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("does not come back in any form, and is billed; text and calls are there")
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
    wishes()
        .forEach(
            wish -> {
              ObjectNode request = wish.apply(cell.front().withTool(cell.hello(), "weather"));
              DialectGateway.Heard heard = gateway.post(cell.front(), request, cell.streaming());
              JsonNode answer = heard.answer();
              DialectSaid said = DialectSaid.of(cell.front(), answer);
              assertThat(said.reasoning()).isEmpty();
              assertThat(said.text()).isEqualTo("Let me see.");
              assertThat(said.calls())
                  .extracting(DialectSaid.Call::name)
                  .containsExactly("weather");
              assertThat(said.stop()).isEqualTo("tool_calls");
              assertThat(said.used().reasoned()).isEqualTo(12);
              assertThat(said.cost()).isEqualTo(0.00016);
              assertThat(heard.body())
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
  @DisplayName("is there where it is not excluded, or where the newer member says so")
  void shown(Cell cell) {
    gateway.upstream.script("large", Script.builder().reasoning("I wonder.").text("So.").build());
    ObjectNode request = cell.hello().put("include_reasoning", false);
    request.set("reasoning", DialectFront.json("{'exclude':false}"));
    assertThat(gateway.post(cell.front(), request, cell.streaming()).said().reasoning())
        .isEqualTo("I wonder.");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("is left out behind a plugin too")
  void behindPlugins(Cell cell) {
    gateway.upstream.script("large", Script.builder().reasoning("I wonder.").text("{}").build());
    ObjectNode request = cell.hello().put("include_reasoning", false);
    request.set("plugins", DialectFront.json("[{'id':'response-healing'}]"));
    DialectGateway.Heard heard = gateway.post(cell.front(), request, cell.streaming());
    assertThat(heard.said().text()).isEqualTo("{}");
    assertThat(heard.body()).doesNotContain("I wonder", DialectMatrixTest.SIGNATURE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("is left out of an answer that was given before")
  void cached(Cell cell) {
    gateway.upstream.script("large", Script.builder().reasoning("I wonder.").text("So.").build());
    ObjectNode request = cell.hello().put("include_reasoning", false);
    request.put("stream", cell.streaming());
    Map<String, String> headers =
        Map.of("authorization", "Bearer " + Fixtures.APP_KEY, "x-router-cache", "true");
    gateway.post(cell.front(), request, headers).answer();
    DialectGateway.Heard again = gateway.post(cell.front(), request, headers);
    assertThat(gateway.upstream.requests()).isEqualTo(1);
    assertThat(again.said().text()).isEqualTo("So.");
    assertThat(again.body()).doesNotContain("I wonder", DialectMatrixTest.SIGNATURE);
  }
}
