package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.conformance.DialectMatrixTest.Cell;
import io.strowger.simulated.Script;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A tool of the gateway, in every dialect")
class DialectToolsTest {
  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  static List<Cell> cells() {
    return DialectMatrixTest.cells();
  }

  static Stream<Cell> messages() {
    return cells().stream()
        .filter(cell -> cell.client() == DialectClient.MESSAGES && !cell.streaming());
  }

  private DialectGateway.TestResponse ask(Cell cell, ObjectNode request) {
    return gateway.post(cell.client(), request, cell.streaming());
  }

  private static ObjectNode withServerTool(ObjectNode request, String tool) {
    request.withArray("tools").add(DialectClient.json(tool));
    return request;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "is not run with arguments that do not fit its schema: the model is sent all problems")
  void arguments(Cell cell) {
    gateway.upstream.answerNextWith(
        Script.builder().text("").toolCall("c", "datetime", "{\"timezone\":7,\"x\":1}").build());
    gateway.upstream.answerNextWith(Script.answer("Sorry."));
    DialectGateway.TestResponse response =
        ask(cell, withServerTool(cell.hello(), "{'type':'router:datetime'}"));
    assertThat(response.content().text()).isEqualTo("Sorry.");
    assertThat(gateway.upstream.last().text())
        .contains("do not fit the schema of the tool", "/timezone: must fit", "/x: is not allowed");
    if (cell.client() != DialectClient.MESSAGES) { // whose usage has no place for it
      JsonNode tools = response.answer().at("/usage/server_tool_use_details");
      assertThat(tools.path("tool_calls_requested").asInt()).isEqualTo(1);
      assertThat(tools.path("tool_calls_executed").asInt(0)).isZero();
    }
  }

  @Proves({"plugins.loop.SL-5", "open.61"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("messages")
  @DisplayName(
      "SL-5: in /messages its result beside a caller's call is returned hidden, and is replayed")
  void mixed(Cell cell) {
    gateway.upstream.answerNextWith(
        Script.builder()
            .text("Wait.")
            .toolCall("call_clock", "datetime", "{\"timezone\":\"Europe/Oslo\"}")
            .toolCall("call_one", "weather", "{\"city\":\"Oslo\"}")
            .build());
    ObjectNode request =
        withServerTool(
            cell.client().withTool(cell.hello(), "weather"), "{'type':'router:datetime'}");
    DialectGateway.TestResponse response = ask(cell, request);
    JsonNode content = response.json().path("content");
    assertThat(content.findValuesAsText("type")).contains("redacted_thinking", "tool_use");

    gateway.upstream.answerNextWith(Script.answer("It rains at noon."));
    request.withArray("messages").addObject().put("role", "assistant").set("content", content);
    ObjectNode result =
        (ObjectNode)
            DialectClient.json(
                "{'type':'tool_result','tool_use_id':'"
                    + content.findValuesAsText("id").getLast()
                    + "','content':'rain'}");
    request.withArray("messages").addObject().put("role", "user").putArray("content").add(result);
    assertThat(ask(cell, request).content().text()).isEqualTo("It rains at noon.");
    String sent = gateway.upstream.last().text();
    assertThat(sent).contains("Europe/Oslo", "datetime", "rain").doesNotContain("router-server");
    assertThat(sent.indexOf("call_clock")).as(sent).isNotNegative();
    if (cell.upstream() == DialectUpstream.MESSAGES) {
      JsonNode turns = gateway.sent().path("messages");
      assertThat(turns).hasSize(3);
      assertThat(turns.get(2).path("content").findValuesAsText("tool_use_id")).hasSize(2);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "asks another model for advice at the caller's expense, and the first model continues with"
          + " it")
  void advisor(Cell cell) {
    gateway.upstream.answerNextWith(
        Script.builder()
            .text("")
            .toolCall("c", "advisor_wise", "{\"question\":\"Is it?\"}")
            .tokens(100, 10)
            .build());
    gateway.upstream.answerNextWith(Script.builder().text("It is, I say.").tokens(50, 5).build());
    gateway.upstream.answerNextWith(Script.builder().text("So it is.").tokens(200, 20).build());
    ObjectNode request =
        withServerTool(
            cell.hello(),
            "{'type':'router:advisor','parameters':{'name':'wise','model':'acme/%s'}}"
                .formatted(cell.upstream().slug()));
    DialectGateway.TestResponse response = ask(cell, request);
    assertThat(response.content().text()).isEqualTo("So it is.");
    assertThat(gateway.upstream.requests()).isEqualTo(3);
    assertThat(gateway.upstream.last().text()).contains("It is, I say.");
    assertThat(gateway.records).hasSize(1);
    assertThat(gateway.records.getFirst().billLines()).hasSize(3);
    assertThat(response.answer().at("/router_metadata/pipeline").toString())
        .contains("router:advisor");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "reports an error to the model if its own model fails, and the caller still gets an answer")
  void advisorFails(Cell cell) {
    gateway.upstream.answerNextWith(
        Script.builder().text("").toolCall("c", "advisor", "{\"question\":\"Is it?\"}").build());
    gateway.upstream.answerNextWith(Script.answer("I do not know."));
    ObjectNode request =
        withServerTool(
            cell.hello(), "{'type':'router:advisor','parameters':{'model':'acme/no-such-model'}}");
    assertThat(ask(cell, request).content().text()).isEqualTo("I do not know.");
    assertThat(gateway.upstream.last().text()).contains("status").contains("error");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("finds models of the catalog for the model that calls it")
  void searchModels(Cell cell) {
    gateway.upstream.answerNextWith(
        Script.builder()
            .text("")
            .toolCall("c", "experimental__search_models", "{\"query\":\"thinker chat\"}")
            .build());
    gateway.upstream.answerNextWith(Script.answer("There is one."));
    DialectGateway.TestResponse response =
        ask(cell, withServerTool(cell.hello(), "{'type':'router:experimental__search_models'}"));
    assertThat(response.content().text()).isEqualTo("There is one.");
    assertThat(gateway.upstream.last().text()).contains("acme/thinker-chat", "total_results");
  }

  static Stream<Cell> searching() {
    return cells().stream().filter(cell -> cell.client() != DialectClient.CHAT);
  }

  private static ObjectNode searching(Cell cell) {
    ObjectNode request = cell.hello();
    for (String name : List.of("weather", "traffic")) {
      cell.client().withTool(request, name);
      ((ObjectNode) request.withArray("tools").path(request.withArray("tools").size() - 1))
          .put("defer_loading", true);
    }
    return withServerTool(request, "{'type':'router:tool_search'}");
  }

  private static Script search(String query) {
    return Script.builder()
        .text("")
        .toolCall("s", "tool_search", "{\"query\":\"" + query + "\"}")
        .build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("searching")
  @DisplayName(
      "finds deferred tools, which are declared to the upstream only then, whatever its dialect")
  void toolSearch(Cell cell) {
    ObjectNode request = searching(cell);
    gateway.upstream.answerNextWith(search("("));
    DialectGateway.TestResponse response = askSearching(cell, request, search("WEATH"));
    assertThat(response.content().calls()).hasSize(1);
    assertThat(response.content().calls().toString()).contains("weather", "Oslo");
    assertThat(gateway.upstream.requests()).isEqualTo(3);
    assertThat(gateway.upstream.last().text())
        .contains("query is not a regular expression", "tool_references");
    assertThat(gateway.sent().path("tools").toString())
        .contains("tool_search", "\"weather\"")
        .doesNotContain("traffic", "defer_loading");
    assertThat(response.answer().at("/router_metadata/pipeline").toString())
        .contains("router:tool_search");
  }

  private DialectGateway.TestResponse askSearching(Cell cell, ObjectNode request, Script search) {
    gateway.upstream.answerNextWith(search);
    gateway.upstream.answerNextWith(
        Script.builder().text("").toolCall("w", "weather", "{\"city\":\"Oslo\"}").build());
    return ask(cell, request);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("searching")
  @DisplayName(
      "need not be called before a deferred tool: the caller gets the call of that tool at once")
  void notSearched(Cell cell) {
    gateway.upstream.answerNextWith(
        Script.builder().text("").toolCall("w", "weather", "{\"city\":\"Oslo\"}").build());
    DialectGateway.TestResponse response = ask(cell, searching(cell));
    assertThat(response.content().calls().toString()).contains("weather", "Oslo");
    assertThat(gateway.upstream.requests()).isEqualTo(1);
    assertThat(gateway.sent().path("tools")).hasSize(1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("chatWhole")
  @DisplayName(
      "is refused in a dialect that does not have it: router:tool_search in /chat/completions")
  void toolSearchOfChat(Cell cell) {
    DialectGateway.TestResponse response =
        ask(cell, withServerTool(cell.hello(), "{'type':'router:tool_search'}"));
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("/tools/0/type", "router:tool_search");
    assertThat(gateway.upstream.requests()).isZero();
  }

  static Stream<Arguments> unbuilt() {
    var all = new ArrayList<Arguments>();
    for (DialectClient client : DialectClient.values()) {
      for (String type : List.of("image_generation", "bash", "files")) {
        all.add(Arguments.of(client, type));
      }
      if (client != DialectClient.CHAT) {
        all.add(Arguments.of(client, "shell"));
      }
    }
    all.add(Arguments.of(DialectClient.RESPONSES, "apply_patch"));
    return all.stream();
  }

  @ParameterizedTest(name = "router:{1} of {0}")
  @MethodSource("unbuilt")
  @DisplayName(
      "that this version does not have is refused by its name, before any upstream is called")
  void refused(DialectClient client, String type) {
    ObjectNode request =
        withServerTool(client.hello(DialectUpstream.CHAT), "{'type':'router:" + type + "'}");
    DialectGateway.TestResponse response = gateway.post(client, request);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body())
        .contains("/tools/0/type", "router:" + type, "no registered plugin runs");
    assertThat(gateway.upstream.requests()).isZero();
  }

  @Proves("chat.tool.advisor")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("needs a name of its own: of two advisors without a name, the second one is refused")
  void names(Cell cell) {
    ObjectNode request =
        withServerTool(
            withServerTool(cell.hello(), "{'type':'router:advisor'}"), "{'type':'router:advisor'}");
    DialectGateway.TestResponse response = gateway.post(cell.client(), request, cell.streaming());
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("/tools/1/parameters/name");
  }

  @Proves("plugins.other.bodybuilder")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "is not needed for router/bodybuilder: the answer is a list of requests, free of charge")
  void bodyBuilder(Cell cell) {
    ObjectNode request = cell.hello();
    request.put("model", "router/bodybuilder");
    String text = request.toString().replaceFirst("\"Hello\"", "\"Ask acme/chat\"");
    assertThat(text).as("the request with its text replaced").contains("Ask acme/chat");
    DialectGateway.TestResponse response = ask(cell, (ObjectNode) DialectClient.parse(text));
    JsonNode requests = DialectClient.parse(response.content().text());
    assertThat(requests.at("/requests/0/model").asText()).isEqualTo("acme/chat");
    assertThat(requests.at("/requests/0/messages/0/content").asText()).isEqualTo("Ask acme/chat");
    assertThat(gateway.upstream.requests()).isZero();
    assertThat(gateway.records.getFirst().cost().nanos()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName(
      "is not needed to correct an answer: it is sent back to the model once, and both turns are"
          + " billed")
  void schemaRepair(Cell cell) {
    gateway.upstream.answerNextWith(
        Script.builder().text("{\"age\":\"x\"}").tokens(100, 10).build());
    gateway.upstream.answerNextWith(Script.builder().text("{\"age\":30}").tokens(200, 20).build());
    ObjectNode request = cell.client().withSchema(cell.hello());
    request.putArray("plugins").add(DialectClient.json("{'id':'response-healing','schema':true}"));
    DialectGateway.TestResponse response = ask(cell, request);
    assertThat(response.content().text()).isEqualTo("{\"age\":30}");
    assertThat(gateway.upstream.last().text()).contains("/age: must fit the keyword type");
    assertThat(response.content().tokens()).isEqualTo(new DialectContent.Tokens(300, 0, 30, 0));
    assertThat(response.content().cost()).isEqualTo(0.00036);
    assertThat(response.answer().at("/router_metadata/pipeline").toString())
        .contains("\"matches_schema\":true");
  }

  static Stream<Cell> chatWhole() {
    return whole().filter(cell -> cell.client() == DialectClient.CHAT);
  }

  static Stream<Cell> whole() {
    return cells().stream().filter(cell -> !cell.streaming());
  }
}
