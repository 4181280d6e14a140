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

/** Every front over every upstream dialect, whole and streamed. Translation fact sheet. */
@DisplayName("Any dialect in front, any dialect behind")
class DialectMatrixTest {
  private static final String PNG = "iVBORw0KGgo=";

  /** What the simulated upstream signs with. */
  static final String SIGNATURE = "c2ltdWxhdGVk";

  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  /** One way through the gateway. */
  record Cell(DialectFront front, DialectBehind behind, boolean streaming) {
    @Override
    public String toString() {
      return front + " over " + behind + (streaming ? ", streamed" : ", whole");
    }

    ObjectNode hello() {
      return front.hello(behind);
    }
  }

  static List<Cell> cells() {
    var cells = new ArrayList<Cell>();
    for (DialectFront front : DialectFront.values()) {
      for (DialectBehind behind : DialectBehind.values()) {
        cells.add(new Cell(front, behind, false));
        cells.add(new Cell(front, behind, true));
      }
    }
    return cells;
  }

  static Stream<Cell> whole() {
    return cells().stream().filter(cell -> !cell.streaming);
  }

  private DialectGateway.Heard ask(Cell cell, ObjectNode request) {
    return gateway.post(cell.front, request, cell.streaming);
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
  @DisplayName("a text arrives, with what it used in disjoint classes and what it cost")
  void text(Cell cell) {
    script(Script.builder().text("It is noon, ä €.").tokens(100, 30).tokenDetails(40, 12));
    DialectGateway.Heard heard = ask(cell, cell.hello());
    DialectSaid said = heard.said();
    assertThat(said.text()).isEqualTo("It is noon, ä €.");
    assertThat(said.calls()).isEmpty();
    assertThat(said.stop()).isEqualTo("stop");
    assertThat(said.used()).isEqualTo(new DialectSaid.Used(60, 40, 18, 12));
    assertThat(said.cost()).isEqualTo(0.000124); // 60 + 40 / 10 + 30 * 2 millionths
    assertThat(heard.answer().path("model").asText()).isEqualTo("acme/" + cell.behind.slug());
    assertThat(gateway.records.getLast().cost().toString()).isEqualTo("$0.000124");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("reasoning names whose it is, whole and streamed")
  void format(Cell cell) {
    script(Script.builder().text("Four.").reasoning("Let me see."));
    JsonNode answer = ask(cell, cell.front.withThinking(cell.hello())).answer();
    if (cell.front == DialectFront.CHAT && cell.behind != DialectBehind.CHAT) {
      JsonNode first = answer.at("/choices/0/message/reasoning_details/0");
      assertThat(first.path("format").asText())
          .isEqualTo(
              switch (cell.behind) {
                case CHAT -> "unknown";
                case RESPONSES -> "openai-responses-v1";
                case MESSAGES -> "anthropic-claude-v1";
                case GEMINI -> "google-gemini-v1";
              });
    }
    assertThat(DialectSaid.of(cell.front, answer).reasoning()).isEqualTo("Let me see.");
  }

  @Proves({"translation.request.call", "translation.case.19"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("two calls at once, one of them without arguments, go out and their results come in")
  void calls(Cell cell) {
    script(
        Script.builder()
            .text("Let me see.")
            .toolCall("call_one", "weather", "{\"city\":\"Oslo\"}")
            .toolCall("call_two", "now", ""));
    ObjectNode request = cell.front.withTool(cell.hello(), "weather");
    cell.front.withTool(request, "now");
    DialectGateway.Heard heard = ask(cell, request);
    DialectSaid said = heard.said();
    assertThat(said.stop()).isEqualTo("tool_calls");
    assertThat(said.text()).isEqualTo("Let me see.");
    assertThat(said.calls()).extracting(DialectSaid.Call::name).containsExactly("weather", "now");
    assertThat(said.calls().getFirst().arguments()).isEqualTo(DialectFront.json("{'city':'Oslo'}"));
    assertThat(said.calls().getLast().arguments()).isEqualTo(DialectFront.json("{}"));
    assertThat(said.calls()).extracting(DialectSaid.Call::id).doesNotHaveDuplicates();

    script(Script.builder().text("Sunny."));
    cell.front.answered(request, heard.answer());
    cell.front.results(request, said.calls());
    assertThat(ask(cell, request).said().text()).isEqualTo("Sunny.");
    assertResults(cell.behind, gateway.sent());
  }

  private static void assertResults(DialectBehind behind, JsonNode sent) {
    String results =
        switch (behind) {
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
            assertThat(sent.at("/messages/1/content/2/input")).isEqualTo(DialectFront.json("{}"));
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
  @DisplayName("reasoning is shown in the front's form")
  void reasoning(Cell cell) {
    script(thoughtful());
    DialectGateway.Heard heard = ask(cell, cell.front.withThinking(cell.hello()));
    assertThat(heard.said().reasoning()).isEqualTo("I think so.");
    assertThat(heard.said().text()).isEqualTo("Yes.");
    assertThat(heard.said().used().reasoned()).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("what a vendor signed goes back to that vendor and to no other")
  void replay(Cell cell) {
    script(thoughtful());
    ObjectNode request = cell.front.withThinking(cell.front.withTool(cell.hello(), "weather"));
    DialectGateway.Heard heard = ask(cell, request);
    cell.front.answered(request, heard.answer());
    cell.front.results(request, heard.said().calls());
    for (DialectBehind behind : DialectBehind.values()) {
      request.put("model", "acme/" + behind.slug());
      assertThat(ask(cell, request).status()).as("over %s", behind).isEqualTo(200);
      if (behind != DialectBehind.CHAT) { // which signs nothing and whose vendor nobody knows
        assertThat(gateway.upstream.last().text().contains(SIGNATURE))
            .as("over %s: %s", behind, gateway.upstream.last().text())
            .isEqualTo(behind == cell.behind);
      }
    }
  }

  private static Script.Builder thoughtful() {
    return Script.builder()
        .reasoning("I think so.")
        .text("Yes.")
        .toolCall("call_one", "weather", "{}")
        .tokenDetails(0, 3);
  }

  @Proves("translation.request.image")
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName("a picture reaches the upstream in its form, inline and by address")
  void images(Cell cell) {
    script(Script.builder().text("A cat."));
    ask(cell, cell.front.image(cell.behind, "data:image/png;base64," + PNG));
    assertThat(cell.behind.image(gateway.sent(), true).asText())
        .as(gateway.upstream.last().text())
        .endsWith(PNG);
    ask(cell, cell.front.image(cell.behind, "https://example.com/cat.png"));
    assertThat(cell.behind.image(gateway.sent(), false).asText())
        .as(gateway.upstream.last().text())
        .isEqualTo("https://example.com/cat.png");
  }

  @Proves({"translation.request.max-output", "translation.request.json-schema"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("whole")
  @DisplayName("the schema of an answer and its longest length reach the upstream")
  void settings(Cell cell) {
    script(Script.builder().text("{\"age\":3}"));
    ask(cell, cell.front.withMaxTokens(cell.front.withSchema(cell.hello()), 77));
    JsonNode sent = gateway.sent();
    assertThat(cell.behind.schema(sent).at("/properties/age/type").asText())
        .as(sent.toString())
        .isEqualToIgnoringCase("integer");
    assertThat(cell.behind.maxTokens(sent).asInt()).isEqualTo(77);
  }

  @Proves({"translation.stop.END", "translation.stop.LENGTH"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("each reason to stop is told in the front's words, and the native word is kept")
  void stops(Cell cell) {
    for (String reason : List.of("stop", "length", "content_filter")) {
      script(Script.builder().text("So far").finishReason(reason));
      DialectGateway.Heard heard = ask(cell, cell.hello());
      assertThat(heard.said().stop()).isEqualTo(reason);
      assertThat(heard.said().text()).isEqualTo("So far");
      if (cell.front == DialectFront.CHAT) {
        assertThat(heard.answer().at("/choices/0/native_finish_reason").asText())
            .isEqualTo(cell.behind.nativeWord(reason));
      }
    }
  }

  @Proves("routing.other.metadata.place")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("metadata stands where the front has it, and only for those who asked")
  void metadata(Cell cell) {
    script(Script.builder().text("Hello"));
    DialectGateway.Heard heard = ask(cell, cell.hello());
    JsonNode metadata = heard.answer().path("router_metadata");
    assertThat(metadata.path("requested").asText()).isEqualTo("acme/" + cell.behind.slug());
    assertThat(metadata.path("strategy").asText()).isEqualTo("direct");
    assertThat(heard.body().split("\"router_metadata\"")).hasSize(2);

    DialectGateway.Heard plain =
        gateway.post(
            cell.front,
            cell.hello().put("stream", cell.streaming),
            Map.of("authorization", "Bearer " + Fixtures.APP_KEY));
    assertThat(plain.body()).doesNotContain("router_metadata");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("a request in the upstream's own dialect loses nothing, another tells what it lost")
  void losses(Cell cell) {
    script(Script.builder().text("Hello").extras(Json.object().put("x_up", "kept").build()));
    ObjectNode request = cell.hello().put("x_down", "kept");
    request.put("top_k", 3).set("metadata", DialectFront.json("{'user_id':'u1'}"));
    DialectGateway.Heard heard = ask(cell, request);
    assertThat(heard.status()).isEqualTo(200);
    if (cell.behind.speaks(cell.front)) {
      assertThat(gateway.losses()).isEmpty();
      assertThat(gateway.sent().path("x_down").asText()).isEqualTo("kept");
      assertThat(heard.body()).contains("\"x_up\":\"kept\"");
    } else {
      assertThat(gateway.losses()).hasSize(1);
      assertThat(gateway.losses().getFirst().losses())
          .as("lost")
          .anySatisfy(loss -> assertThat(loss.subject()).contains("x_down"));
      assertThat(gateway.upstream.last().text()).doesNotContain("x_down");
      assertThat(heard.body()).doesNotContain("x_up");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("a refusal before any content has the front's envelope and status")
  void refused(Cell cell) {
    script(Script.builder().fault(new ScriptedFault.Refuse(429, Map.of("Retry-After", "7"), "{}")));
    DialectGateway.Heard heard = ask(cell, cell.hello());
    JsonNode error = heard.json().path("error");
    assertThat(heard.status()).as(heard.body()).isEqualTo(429);
    switch (cell.front) {
      case CHAT -> assertThat(error.path("code").asInt()).isEqualTo(429);
      case MESSAGES -> {
        assertThat(heard.json().path("type").asText()).isEqualTo("error");
        assertThat(error.path("type").asText()).isEqualTo("rate_limit_error");
        assertThat(heard.json().path("request_id").asText()).startsWith("gen-");
      }
      case RESPONSES -> assertThat(error.path("code").asText()).isNotEmpty();
    }
    assertThat(heard.json().has("router_metadata")).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("an end without a reason is an error in the front's own form, never a clean end")
  void unfinished(Cell cell) {
    if (!cell.streaming) {
      return; // a document that is there is complete
    }
    script(Script.builder().text("half of it").chunks(2).fault(new ScriptedFault.CutInside(1)));
    DialectGateway.Heard heard = ask(cell, cell.hello());
    assertThat(heard.status()).isEqualTo(200);
    List<JsonNode> frames = DialectFrames.read(cell.front, heard.body());
    JsonNode last = frames.getLast();
    switch (cell.front) {
      case CHAT -> {
        JsonNode error = frames.stream().filter(f -> f.has("error")).findFirst().orElseThrow();
        assertThat(error.at("/choices/0/finish_reason").asText()).isEqualTo("error");
        assertThat(error.at("/error/code").asInt()).isEqualTo(502);
      }
      case MESSAGES -> {
        assertThat(last.path("type").asText()).isEqualTo("error");
        assertThat(last.at("/error/type").asText()).isEqualTo("api_error");
        assertThat(heard.body()).doesNotContain("message_stop");
      }
      case RESPONSES -> {
        assertThat(last.path("type").asText()).isIn("response.failed", "error");
        assertThat(heard.body()).doesNotContain("response.completed");
      }
    }
  }
}
