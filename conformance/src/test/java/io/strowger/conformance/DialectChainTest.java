package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.conformance.DialectMatrixTest.Cell;
import io.strowger.simulated.Script;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What stands around a request, over every front and upstream dialect: the gateway's own tools,
 * plugins, and what callers ask of the gateway itself. Plugins fact sheet, sections 8 and 12.
 */
@DisplayName("Around a request of any dialect")
class DialectChainTest {
  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  static List<Cell> cells() {
    return DialectMatrixTest.cells();
  }

  static Stream<Cell> whole() {
    return DialectMatrixTest.whole();
  }

  private DialectGateway.Heard ask(Cell cell, ObjectNode request) {
    return gateway.post(cell.front(), request, cell.streaming());
  }

  private static ObjectNode withClock(ObjectNode request) {
    request.withArray("tools").add(DialectFront.json("{'type':'router:datetime'}"));
    return request;
  }

  private static Script.Builder wantsClock(String text) {
    return Script.builder()
        .text(text)
        .toolCall("call_clock", "datetime", "{\"timezone\":\"Europe/Oslo\"}");
  }

  @Proves("plugins.pipeline.server_tools")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("the gateway runs its tool between two turns, and the caller sees one answer")
  void toolLoop(Cell cell) {
    gateway.upstream.answerNextWith(wantsClock("Let me look. ").tokens(100, 10).build());
    gateway.upstream.answerNextWith(Script.builder().text("It is noon.").tokens(200, 20).build());
    DialectGateway.Heard heard = ask(cell, withClock(cell.hello()));
    DialectSaid said = heard.said();
    assertThat(said.text()).isEqualTo("Let me look. It is noon.");
    assertThat(said.calls()).isEmpty();
    assertThat(said.stop()).isEqualTo("stop");
    assertThat(said.used()).isEqualTo(new DialectSaid.Used(300, 0, 30, 0));
    assertThat(said.cost()).isEqualTo(0.00036);
    assertThat(gateway.upstream.requests()).isEqualTo(2);
    assertThat(gateway.upstream.last().text()).contains("+0", "Europe/Oslo").contains("datetime");
    if (cell.front() != DialectFront.MESSAGES) { // whose usage has no place for it
      JsonNode tools = heard.answer().at("/usage/server_tool_use_details");
      assertThat(tools.path("tool_calls_requested").asInt()).isEqualTo(1);
      assertThat(tools.path("tool_calls_executed").asInt()).isEqualTo(1);
    }
    assertThat(heard.answer().at("/router_metadata/pipeline").toString()).contains("server-tools");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("what a model thought before it called the gateway's tool is given back to it")
  void thoughtsInTheLoop(Cell cell) {
    gateway.upstream.answerNextWith(wantsClock("").reasoning("Which time is it?").build());
    gateway.upstream.answerNextWith(Script.builder().text("It is noon.").reasoning("Ah.").build());
    ObjectNode request = withClock(cell.front().withThinking(cell.hello()));
    DialectGateway.Heard heard = ask(cell, request);
    assertThat(heard.said().text()).isEqualTo("It is noon.");
    assertThat(heard.said().reasoning()).isEqualTo("Which time is it?Ah.");
    if (cell.behind() != DialectBehind.CHAT) { // which signs nothing
      assertThat(gateway.upstream.last().text()).contains(DialectMatrixTest.SIGNATURE);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("a call of the caller's own function ends the turn, and only that call is seen")
  void mixedCalls(Cell cell) {
    gateway.upstream.answerNextWith(
        wantsClock("Wait.").toolCall("call_one", "weather", "{\"city\":\"Oslo\"}").build());
    ObjectNode request = withClock(cell.front().withTool(cell.hello(), "weather"));
    DialectSaid said = ask(cell, request).said();
    assertThat(said.calls()).extracting(DialectSaid.Call::name).containsExactly("weather");
    assertThat(said.stop()).isEqualTo("tool_calls");
    assertThat(gateway.upstream.requests()).isEqualTo(1);
  }

  @Proves({"operation.messages.stop_server_tools_when", "plugins.loop.SL-2"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("SL-2: two steps are two, then the model has to answer without tools")
  void stepCount(Cell cell) {
    gateway.upstream.script("large", wantsClock("More. ").build());
    ObjectNode request = withClock(cell.hello());
    request.set(
        "stop_server_tools_when", DialectFront.json("[{'type':'step_count_is','step_count':2}]"));
    DialectGateway.Heard heard = ask(cell, request);
    assertThat(heard.status()).as(heard.body()).isEqualTo(200);
    assertThat(gateway.upstream.requests()).isEqualTo(3);
    JsonNode last = gateway.sent();
    switch (cell.behind()) {
      case CHAT, RESPONSES -> assertThat(last.path("tool_choice").asText()).isEqualTo("none");
      case MESSAGES -> assertThat(last.at("/tool_choice/type").asText()).isEqualTo("none");
      case GEMINI ->
          assertThat(last.at("/toolConfig/functionCallingConfig/mode").asText()).isEqualTo("NONE");
    }
  }

  @Proves("plugins.loop.SL-7")
  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("SL-7: no condition at all is refused")
  void noCondition(DialectFront front) {
    ObjectNode request = withClock(front.hello(DialectBehind.CHAT));
    request.putArray("stop_server_tools_when");
    assertThat(gateway.post(front, request).status()).isEqualTo(400);
    assertThat(gateway.upstream.requests()).isZero();
  }

  @Proves("plugins.pipeline.response_healing")
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName("JSON that is nearly right is repaired, whoever wrote it, and the pipeline says so")
  void healing(Cell cell) {
    gateway.upstream.answerNextWith(Script.answer("```json\n{\"age\": 3,}\n```"));
    ObjectNode request = cell.front().withSchema(cell.hello());
    request.set("plugins", DialectFront.json("[{'id':'response-healing'}]"));
    DialectGateway.Heard heard = ask(cell, request);
    assertThat(DialectFront.parse(heard.said().text())).isEqualTo(DialectFront.json("{'age':3}"));
    assertThat(heard.answer().at("/router_metadata/pipeline/0/type").asText())
        .isEqualTo("response_healing");
    assertThat(gateway.records.getLast().trace())
        .anySatisfy(entry -> assertThat(entry).isInstanceOf(TraceEntry.Stage.class));
  }

  @Proves("events.2")
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName("the body the upstream got comes first in a stream that asked for it")
  void echo(Cell cell) {
    if (cell.front() == DialectFront.MESSAGES) {
      return; // has no debug
    }
    gateway.upstream.answerNextWith(Script.answer("Hello"));
    ObjectNode request = cell.hello();
    request.set("debug", DialectFront.json("{'echo_upstream_body':true}"));
    DialectGateway.Heard heard = gateway.post(cell.front(), request, true);
    JsonNode first = heard.frames().getFirst();
    assertThat(first.at("/debug/echo_upstream_body")).isEqualTo(gateway.sent());
    if (cell.front() == DialectFront.CHAT) {
      assertThat(first.path("choices")).isEmpty();
    } else {
      assertThat(first.path("sequence_number").asInt()).isZero();
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("a key in x-api-key opens the messages front and no other")
  void apiKey(DialectFront front) {
    gateway.upstream.answerNextWith(Script.answer("Hello"));
    DialectGateway.Heard heard =
        gateway.post(
            front, front.hello(DialectBehind.GEMINI), Map.of("x-api-key", Fixtures.APP_KEY));
    assertThat(heard.status()).isEqualTo(front == DialectFront.MESSAGES ? 200 : 401);
  }

  @Proves("routing.variant.latest.reasoning")
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName(
      "a model that always reasons is not to be told not to, but the latest of a family is")
  void mandatoryReasoning(Cell cell) {
    gateway.upstream.script("large", Script.answer("Hello"));
    ObjectNode request = cell.front().withoutThinking(cell.hello());
    request.put("model", "acme/thinker-" + cell.behind().slug());
    assertThat(gateway.post(cell.front(), request).status()).isEqualTo(400);

    request.put("model", "~acme/thinking-" + cell.behind().slug() + "-latest");
    DialectGateway.Heard heard = gateway.post(cell.front(), request);
    assertThat(heard.said().text()).isEqualTo("Hello");
    assertThat(gateway.upstream.last().text().toLowerCase(Locale.ROOT)).contains("\"low\"");
  }
}
