package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every dialect of the caller with every dialect of the upstream, streamed and not. Contract:
 * translation fact sheet.
 */
@DisplayName("For any dialect of the caller and any dialect of the upstream,")
class DialectMatrixTest {
  private static final String PNG = "iVBORw0KGgo=";

  /** The signature that the simulated upstream gives. */
  static final String SIGNATURE = "c2ltdWxhdGVk";

  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  /** A client, an upstream dialect, and whether the answer is streamed. */
  record Cell(DialectClient client, DialectUpstream upstream, boolean streaming) {
    @Override
    public String toString() {
      return client + " over " + upstream + (streaming ? ", streamed" : ", whole");
    }

    ObjectNode hello() {
      return client.hello(upstream);
    }
  }

  static List<Cell> cells() {
    var cells = new ArrayList<Cell>();
    for (DialectClient client : DialectClient.values()) {
      for (DialectUpstream upstream : DialectUpstream.values()) {
        cells.add(new Cell(client, upstream, false));
        cells.add(new Cell(client, upstream, true));
      }
    }
    return cells;
  }

  static Stream<Cell> whole() {
    return cells().stream().filter(cell -> !cell.streaming);
  }

  private DialectGateway.TestResponse ask(Cell cell, ObjectNode request) {
    return gateway.post(cell.client, request, cell.streaming);
  }

  private void script(Script.Builder script) {
    gateway.upstream.script("large", script.build());
  }

  @Proves({
    "operation.messages.answer",
    "chat.answer.usage",
    "messages.answer.usage",
    "translation.usage.chat",
    "translation.usage.messages",
    "translation.usage.responses",
    "translation.usage.gemini"
  })
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("a text arrives with its cost, and its usage counts each token in exactly one class")
  void text(Cell cell) {
    script(Script.builder().text("It is noon, ä €.").tokens(100, 30).tokenDetails(40, 12));
    DialectGateway.TestResponse response = ask(cell, cell.hello());
    DialectContent content = response.content();
    assertThat(content.text()).isEqualTo("It is noon, ä €.");
    assertThat(content.calls()).isEmpty();
    assertThat(content.stop()).isEqualTo("stop");
    assertThat(content.tokens()).isEqualTo(new DialectContent.Tokens(60, 40, 18, 12));
    assertThat(content.cost()).isEqualTo(0.000124); // 60 + 40 / 10 + 30 * 2 millionths
    assertThat(response.answer().path("model").asText()).isEqualTo("acme/" + cell.upstream.slug());
    assertThat(gateway.records.getLast().cost().toString()).isEqualTo("$0.000124");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("reasoning names its vendor's format")
  void format(Cell cell) {
    script(Script.builder().text("Four.").reasoning("Let me see."));
    JsonNode answer = ask(cell, cell.client.withThinking(cell.hello())).answer();
    if (cell.client == DialectClient.CHAT) {
      JsonNode first = answer.at("/choices/0/message/reasoning_details/0");
      assertThat(first.path("format").asText())
          .isEqualTo(
              switch (cell.upstream) {
                case CHAT -> ""; // passed through, and this upstream names none
                case RESPONSES -> "openai-responses-v1";
                case MESSAGES -> "anthropic-claude-v1";
                case GEMINI -> "google-gemini-v1";
              });
    }
    assertThat(DialectContent.of(cell.client, answer).reasoning()).isEqualTo("Let me see.");
  }

  @Proves({"translation.request.call", "translation.case.19"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "two parallel calls, one without arguments, reach the caller, and their results reach the"
          + " upstream")
  void calls(Cell cell) {
    script(
        Script.builder()
            .text("Let me see.")
            .toolCall("call_one", "weather", "{\"city\":\"Oslo\"}")
            .toolCall("call_two", "now", ""));
    ObjectNode request = cell.client.withTool(cell.hello(), "weather");
    cell.client.withTool(request, "now");
    DialectGateway.TestResponse response = ask(cell, request);
    DialectContent content = response.content();
    assertThat(content.stop()).isEqualTo("tool_calls");
    assertThat(content.text()).isEqualTo("Let me see.");
    assertThat(content.calls())
        .extracting(DialectContent.Call::name)
        .containsExactly("weather", "now");
    assertThat(content.calls().getFirst().arguments())
        .isEqualTo(DialectClient.json("{'city':'Oslo'}"));
    assertThat(content.calls().getLast().arguments()).isEqualTo(DialectClient.json("{}"));
    assertThat(content.calls()).extracting(DialectContent.Call::id).doesNotHaveDuplicates();

    script(Script.builder().text("Sunny."));
    cell.client.withAnswer(request, response.answer());
    cell.client.withResults(request, content.calls());
    assertThat(ask(cell, request).content().text()).isEqualTo("Sunny.");
    assertResults(cell.upstream, gateway.sent());
  }

  private static void assertResults(DialectUpstream upstream, JsonNode sent) {
    String results =
        switch (upstream) {
          case CHAT -> {
            assertThat(sent.at("/messages/1/tool_calls")).hasSize(2);
            assertThat(sent.at("/messages/1/tool_calls/1/function/arguments").asText())
                .isIn("{}", "");
            yield sent.at("/messages/2/content").asText() + sent.at("/messages/3/content").asText();
          }
          case RESPONSES -> {
            var outputs = new StringBuilder();
            sent.path("input").forEach(item -> outputs.append(item.path("output").asText("")));
            yield outputs.toString();
          }
          case MESSAGES -> {
            assertThat(sent.at("/messages/1/content/2/input")).isEqualTo(DialectClient.json("{}"));
            yield text(sent.at("/messages/2/content/0/content"))
                + text(sent.at("/messages/2/content/1/content"));
          }
          case GEMINI ->
              sent.at("/contents/2/parts/0/functionResponse/response").toString()
                  + sent.at("/contents/2/parts/1/functionResponse/response");
        };
    assertThat(results).containsSubsequence("sunny in weather", "sunny in now");
  }

  private static String text(JsonNode content) {
    return content.isTextual() ? content.asText() : content.at("/0/text").asText();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("reasoning is shown in the form of the caller's dialect")
  void reasoning(Cell cell) {
    script(reasoningAndCall());
    DialectGateway.TestResponse response = ask(cell, cell.client.withThinking(cell.hello()));
    assertThat(response.content().reasoning()).isEqualTo("I think so.");
    assertThat(response.content().text()).isEqualTo("Yes.");
    assertThat(response.content().tokens().reasoning()).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("reasoning that a vendor signed is sent back to that vendor and to no other")
  void replay(Cell cell) {
    script(reasoningAndCall());
    ObjectNode request = cell.client.withThinking(cell.client.withTool(cell.hello(), "weather"));
    DialectGateway.TestResponse response = ask(cell, request);
    cell.client.withAnswer(request, response.answer());
    cell.client.withResults(request, response.content().calls());
    for (DialectUpstream upstream : DialectUpstream.values()) {
      request.put("model", "acme/" + upstream.slug());
      assertThat(ask(cell, request).status()).as("over %s", upstream).isEqualTo(200);
      if (upstream != DialectUpstream.CHAT) { // which signs nothing and has no known vendor
        assertThat(gateway.upstream.last().text().contains(SIGNATURE))
            .as("over %s: %s", upstream, gateway.upstream.last().text())
            .isEqualTo(upstream == cell.upstream);
      }
    }
  }

  private static Script.Builder reasoningAndCall() {
    return Script.builder()
        .reasoning("I think so.")
        .text("Yes.")
        .toolCall("call_one", "weather", "{}")
        .tokenDetails(0, 3);
  }

  @Proves("translation.request.image")
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName("an image reaches the upstream in the upstream's form, inline and as a URL")
  void images(Cell cell) {
    script(Script.builder().text("A cat."));
    ask(cell, cell.client.image(cell.upstream, "data:image/png;base64," + PNG));
    assertThat(cell.upstream.image(gateway.sent(), true).asText())
        .as(gateway.upstream.last().text())
        .endsWith(PNG);
    ask(cell, cell.client.image(cell.upstream, "https://example.com/cat.png"));
    assertThat(cell.upstream.image(gateway.sent(), false).asText())
        .as(gateway.upstream.last().text())
        .isEqualTo("https://example.com/cat.png");
  }

  @Proves({"translation.request.max-output", "translation.request.json-schema"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName("the schema and the maximum length of an answer reach the upstream")
  void settings(Cell cell) {
    script(Script.builder().text("{\"age\":3}"));
    ask(cell, cell.client.withMaxTokens(cell.client.withSchema(cell.hello()), 77));
    JsonNode sent = gateway.sent();
    assertThat(cell.upstream.schema(sent).at("/properties/age/type").asText())
        .as(sent.toString())
        .isEqualToIgnoringCase("integer");
    assertThat(cell.upstream.maxTokens(sent).asInt()).isEqualTo(77);
  }

  @Proves({"translation.stop.END", "translation.stop.LENGTH"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("each finish reason is a word of the caller's dialect, and the native word is kept")
  void stops(Cell cell) {
    for (String reason : List.of("stop", "length", "content_filter")) {
      script(Script.builder().text("So far").finishReason(reason));
      DialectGateway.TestResponse response = ask(cell, cell.hello());
      assertThat(response.content().stop()).isEqualTo(reason);
      assertThat(response.content().text()).isEqualTo("So far");
      if (cell.client == DialectClient.CHAT) {
        assertThat(response.answer().at("/choices/0/native_finish_reason").asText())
            .isEqualTo(cell.upstream.nativeWord(reason));
      }
    }
  }

  @Proves("routing.other.metadata.place")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "metadata is where the caller's dialect expects it, and only if the request asks for it")
  void metadata(Cell cell) {
    script(Script.builder().text("Hello"));
    DialectGateway.TestResponse response = ask(cell, cell.hello());
    JsonNode metadata = response.answer().path("router_metadata");
    assertThat(metadata.path("requested").asText()).isEqualTo("acme/" + cell.upstream.slug());
    assertThat(metadata.path("strategy").asText()).isEqualTo("direct");
    assertThat(response.body().split("\"router_metadata\"")).hasSize(2);

    DialectGateway.TestResponse plain =
        gateway.post(
            cell.client,
            cell.hello().put("stream", cell.streaming),
            Map.of("authorization", "Bearer " + Fixtures.APP_KEY));
    assertThat(plain.body()).doesNotContain("router_metadata");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "a request in the upstream's own dialect loses nothing, and any other reports what it lost")
  void losses(Cell cell) {
    script(Script.builder().text("Hello").extras(Json.object().put("x_up", "kept").build()));
    ObjectNode request = cell.hello().put("x_down", "kept");
    request.put("top_k", 3).set("metadata", DialectClient.json("{'user_id':'u1'}"));
    DialectGateway.TestResponse response = ask(cell, request);
    assertThat(response.status()).isEqualTo(200);
    if (cell.upstream.speaks(cell.client)) {
      assertThat(gateway.losses()).isEmpty();
      assertThat(gateway.sent().path("x_down").asText()).isEqualTo("kept");
      assertThat(response.body()).contains("\"x_up\":\"kept\"");
    } else {
      assertThat(gateway.losses()).hasSize(1);
      assertThat(gateway.losses().getFirst().losses())
          .as("losses")
          .anySatisfy(loss -> assertThat(loss.subject()).contains("x_down"));
      assertThat(gateway.upstream.last().text()).doesNotContain("x_down");
      assertThat(response.body()).doesNotContain("x_up");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "a refusal before any content has the error envelope and status of the caller's dialect")
  void refused(Cell cell) {
    script(
        Script.builder()
            .fault(new ScriptedFault.RawResponse(429, Map.of("Retry-After", "7"), "{}")));
    DialectGateway.TestResponse response = ask(cell, cell.hello());
    JsonNode error = response.json().path("error");
    assertThat(response.status()).as(response.body()).isEqualTo(429);
    switch (cell.client) {
      case CHAT -> assertThat(error.path("code").asInt()).isEqualTo(429);
      case MESSAGES -> {
        assertThat(response.json().path("type").asText()).isEqualTo("error");
        assertThat(error.path("type").asText()).isEqualTo("rate_limit_error");
        assertThat(response.json().path("request_id").asText()).startsWith("gen-");
      }
      case RESPONSES -> assertThat(error.path("code").asText()).isNotEmpty();
    }
    assertThat(response.json().has("router_metadata")).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "a stream that breaks off is an error in the form of the caller's dialect, never a normal"
          + " end")
  void unfinished(Cell cell) {
    if (!cell.streaming) {
      return; // a document cannot break off unnoticed
    }
    script(Script.builder().text("half of it").chunks(2).fault(new ScriptedFault.CutInside(1)));
    DialectGateway.TestResponse response = ask(cell, cell.hello());
    assertThat(response.status()).isEqualTo(200);
    List<JsonNode> frames = DialectFrames.read(cell.client, response.body());
    JsonNode last = frames.getLast();
    switch (cell.client) {
      case CHAT -> {
        JsonNode error = frames.stream().filter(f -> f.has("error")).findFirst().orElseThrow();
        assertThat(error.at("/choices/0/finish_reason").asText()).isEqualTo("error");
        assertThat(error.at("/error/code").asInt()).isEqualTo(502);
      }
      case MESSAGES -> {
        assertThat(last.path("type").asText()).isEqualTo("error");
        assertThat(last.at("/error/type").asText()).isEqualTo("api_error");
        assertThat(response.body()).doesNotContain("message_stop");
      }
      case RESPONSES -> {
        assertThat(last.path("type").asText()).isIn("response.failed", "error");
        assertThat(response.body()).doesNotContain("response.completed");
      }
    }
  }
}
