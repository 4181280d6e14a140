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
 * Tests what the gateway does around a request, for every dialect of the caller and of the
 * upstream: its own tools, plugins, and the members that are for the gateway itself. Plugins fact
 * sheet, sections 8 and 12.
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

  private DialectGateway.TestResponse ask(Cell cell, ObjectNode request) {
    return gateway.post(cell.client(), request, cell.streaming());
  }

  private static ObjectNode withClock(ObjectNode request) {
    request.withArray("tools").add(DialectClient.json("{'type':'router:datetime'}"));
    return request;
  }

  private static Script.Builder callsClock(String text) {
    return Script.builder()
        .text(text)
        .toolCall("call_clock", "datetime", "{\"timezone\":\"Europe/Oslo\"}");
  }

  @Proves("plugins.pipeline.server_tools")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("the gateway runs its tool between two turns, and the caller sees one answer")
  void toolLoop(Cell cell) {
    gateway.upstream.answerNextWith(callsClock("Let me look. ").tokens(100, 10).build());
    gateway.upstream.answerNextWith(Script.builder().text("It is noon.").tokens(200, 20).build());
    DialectGateway.TestResponse response = ask(cell, withClock(cell.hello()));
    DialectContent content = response.content();
    assertThat(content.text()).isEqualTo("Let me look. It is noon.");
    assertThat(content.calls()).isEmpty();
    assertThat(content.stop()).isEqualTo("stop");
    assertThat(content.tokens()).isEqualTo(new DialectContent.Tokens(300, 0, 30, 0));
    assertThat(content.cost()).isEqualTo(0.00036);
    assertThat(gateway.upstream.requests()).isEqualTo(2);
    assertThat(gateway.upstream.last().text()).contains("+0", "Europe/Oslo").contains("datetime");
    if (cell.client() != DialectClient.MESSAGES) { // whose usage has no place for it
      JsonNode tools = response.answer().at("/usage/server_tool_use_details");
      assertThat(tools.path("tool_calls_requested").asInt()).isEqualTo(1);
      assertThat(tools.path("tool_calls_executed").asInt()).isEqualTo(1);
    }
    assertThat(response.answer().at("/router_metadata/pipeline").toString())
        .contains("server-tools");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("the reasoning before a call of the gateway's tool is sent back to the model")
  void reasoningInToolLoop(Cell cell) {
    gateway.upstream.answerNextWith(callsClock("").reasoning("Which time is it?").build());
    gateway.upstream.answerNextWith(Script.builder().text("It is noon.").reasoning("Ah.").build());
    ObjectNode request = withClock(cell.client().withThinking(cell.hello()));
    DialectGateway.TestResponse response = ask(cell, request);
    assertThat(response.content().text()).isEqualTo("It is noon.");
    assertThat(response.content().reasoning()).isEqualTo("Which time is it?Ah.");
    if (cell.upstream() != DialectUpstream.CHAT) { // which signs nothing
      assertThat(gateway.upstream.last().text()).contains(DialectMatrixTest.SIGNATURE);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "a call of the caller's own function ends the turn, and the caller sees only that call")
  void mixedCalls(Cell cell) {
    gateway.upstream.answerNextWith(
        callsClock("Wait.").toolCall("call_one", "weather", "{\"city\":\"Oslo\"}").build());
    ObjectNode request = withClock(cell.client().withTool(cell.hello(), "weather"));
    DialectContent content = ask(cell, request).content();
    assertThat(content.calls()).extracting(DialectContent.Call::name).containsExactly("weather");
    assertThat(content.stop()).isEqualTo("tool_calls");
    assertThat(gateway.upstream.requests()).isEqualTo(1);
  }

  @Proves({"operation.messages.stop_server_tools_when", "plugins.loop.SL-2"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("SL-2: after the two steps that are permitted, the model must answer without tools")
  void stepCount(Cell cell) {
    gateway.upstream.script("large", callsClock("More. ").build());
    ObjectNode request = withClock(cell.hello());
    request.set(
        "stop_server_tools_when", DialectClient.json("[{'type':'step_count_is','step_count':2}]"));
    DialectGateway.TestResponse response = ask(cell, request);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    assertThat(gateway.upstream.requests()).isEqualTo(3);
    JsonNode last = gateway.sent();
    switch (cell.upstream()) {
      case CHAT, RESPONSES -> assertThat(last.path("tool_choice").asText()).isEqualTo("none");
      case MESSAGES -> assertThat(last.at("/tool_choice/type").asText()).isEqualTo("none");
      case GEMINI ->
          assertThat(last.at("/toolConfig/functionCallingConfig/mode").asText()).isEqualTo("NONE");
    }
  }

  @Proves("plugins.loop.SL-7")
  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("SL-7: an empty list of conditions is refused")
  void noCondition(DialectClient client) {
    ObjectNode request = withClock(client.hello(DialectUpstream.CHAT));
    request.putArray("stop_server_tools_when");
    assertThat(gateway.post(client, request).status()).isEqualTo(400);
    assertThat(gateway.upstream.requests()).isZero();
  }

  @Proves("plugins.pipeline.response_healing")
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName("nearly valid JSON of any upstream is repaired, and the pipeline reports the repair")
  void healing(Cell cell) {
    gateway.upstream.answerNextWith(Script.answer("```json\n{\"age\": 3,}\n```"));
    ObjectNode request = cell.client().withSchema(cell.hello());
    request.set("plugins", DialectClient.json("[{'id':'response-healing'}]"));
    DialectGateway.TestResponse response = ask(cell, request);
    assertThat(DialectClient.parse(response.content().text()))
        .isEqualTo(DialectClient.json("{'age':3}"));
    assertThat(response.answer().at("/router_metadata/pipeline/0/type").asText())
        .isEqualTo("response_healing");
    assertThat(gateway.records.getLast().trace())
        .anySatisfy(entry -> assertThat(entry).isInstanceOf(TraceEntry.Stage.class));
  }

  @Proves("events.2")
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName("a stream begins with the body that the upstream got, if the request asks for it")
  void echo(Cell cell) {
    if (cell.client() == DialectClient.MESSAGES) {
      return; // has no debug
    }
    gateway.upstream.answerNextWith(Script.answer("Hello"));
    ObjectNode request = cell.hello();
    request.set("debug", DialectClient.json("{'echo_upstream_body':true}"));
    DialectGateway.TestResponse response = gateway.post(cell.client(), request, true);
    JsonNode first = response.frames().getFirst();
    assertThat(first.at("/debug/echo_upstream_body")).isEqualTo(gateway.sent());
    if (cell.client() == DialectClient.CHAT) {
      assertThat(first.path("choices")).isEmpty();
    } else {
      assertThat(first.path("sequence_number").asInt()).isZero();
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("a key in x-api-key is accepted by the API of the messages dialect and by no other")
  void apiKey(DialectClient client) {
    gateway.upstream.answerNextWith(Script.answer("Hello"));
    DialectGateway.TestResponse response =
        gateway.post(
            client, client.hello(DialectUpstream.GEMINI), Map.of("x-api-key", Fixtures.APP_KEY));
    assertThat(response.status()).isEqualTo(client == DialectClient.MESSAGES ? 200 : 401);
  }

  @Proves("routing.variant.latest.reasoning")
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName(
      "turning reasoning off is refused for a model that always reasons, but means low effort for"
          + " the latest model of a family")
  void mandatoryReasoning(Cell cell) {
    gateway.upstream.script("large", Script.answer("Hello"));
    ObjectNode request = cell.client().withoutThinking(cell.hello());
    request.put("model", "acme/thinker-" + cell.upstream().slug());
    assertThat(gateway.post(cell.client(), request).status()).isEqualTo(400);

    request.put("model", "~acme/thinking-" + cell.upstream().slug() + "-latest");
    DialectGateway.TestResponse response = gateway.post(cell.client(), request);
    assertThat(response.content().text()).isEqualTo("Hello");
    assertThat(gateway.upstream.last().text().toLowerCase(Locale.ROOT)).contains("\"low\"");
  }
}
