package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests each dialect of callers over each dialect of upstreams with the vendors' own JavaScript
 * libraries, which assemble streams themselves and reject malformed ones. Skipped without Node.js.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@DisplayName("The JavaScript client libraries")
class JavaScriptClientsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static LoopbackGateway gateway;
  private static NodeClients clients;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    gateway = new LoopbackGateway();
    clients = NodeClients.start(gateway.uri(), LoopbackGateway.KEY);
  }

  @AfterAll
  static void stop() {
    if (clients != null) {
      clients.close();
    }
    gateway.close();
  }

  static Stream<Arguments> dialectsAndModels() {
    return Stream.of("chat", "messages", "responses")
        .flatMap(
            dialect -> LoopbackGateway.everyModel().map(model -> Arguments.of(dialect, model)));
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (IOException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  /** Returns the answer as the library reads it, whole and then streamed. */
  private static List<JsonNode> wholeAndStreamed(
      String dialect, String model, Script script, JsonNode more) throws IOException {
    gateway.upstream().answerNextWith(script).answerNextWith(script);
    return List.of(
        clients.ask(dialect, model, false, more), clients.ask(dialect, model, true, more));
  }

  private static JsonNode reasoningRequest(String dialect) {
    return switch (dialect) {
      case "chat" -> json("{'reasoning':{'effort':'low'}}");
      case "responses" -> json("{'reasoning':{'effort':'low','summary':'auto'}}");
      default -> json("{'thinking':{'type':'enabled','budget_tokens':1024}}");
    };
  }

  @ParameterizedTest(name = "{0} of {1}")
  @MethodSource("dialectsAndModels")
  @DisplayName("read reasoning, a text and parallel calls, whole and streamed")
  void everything(String dialect, String model) throws IOException {
    Script script =
        Script.builder()
            .reasoning("I wonder.")
            .text("Let me see.")
            .toolCall("call_1", "weather", "{\"city\":\"Bern\"}")
            .toolCall("call_2", "weather", "{\"city\":\"Basel\"}")
            .tokens(10, 8)
            .build();
    for (JsonNode answer : wholeAndStreamed(dialect, model, script, reasoningRequest(dialect))) {
      assertThat(answer.path("error").asText("")).as("%s", answer).isEmpty();
      assertThat(answer.path("reasoning").asText()).isEqualTo("I wonder.");
      assertThat(answer.path("text").asText()).isEqualTo("Let me see.");
      assertThat(answer.path("calls"))
          .isEqualTo(
              json(
                  "[{'id':'call_1','name':'weather','input':{'city':'Bern'}},"
                      + "{'id':'call_2','name':'weather','input':{'city':'Basel'}}]"));
      assertThat(answer.path("stop").asText()).isIn("tool_calls", "tool_use", "completed");
      assertThat(answer.path("tokens")).isEqualTo(json("[10,8]"));
    }
  }

  @ParameterizedTest(name = "{0} of {1}")
  @MethodSource("dialectsAndModels")
  @DisplayName("read a refusal and its words, whole and streamed")
  void refusal(String dialect, String model) throws IOException {
    Script script = Script.builder().refusal("I would rather not.").build();
    boolean withoutText = model.equals(LoopbackGateway.OVER_GEMINI);
    for (JsonNode answer : wholeAndStreamed(dialect, model, script, json("{}"))) {
      assertThat(answer.path("error").asText("")).as("%s", answer).isEmpty();
      assertThat(answer.path("text").asText()).isEmpty();
      assertThat(answer.path("refusal").asText())
          .isEqualTo(withoutText ? "" : "I would rather not.");
      assertThat(answer.path("stop").asText())
          .isEqualTo(
              switch (dialect) {
                case "chat" -> withoutText ? "content_filter" : "stop";
                case "messages" -> "refusal";
                default -> withoutText ? "content_filter" : "completed";
              });
    }
  }

  @ParameterizedTest(name = "{0} of {1}")
  @MethodSource("dialectsAndModels")
  @DisplayName("throw their own error for an upstream that refuses, with its status and a message")
  void refused(String dialect, String model) throws IOException {
    for (JsonNode answer : wholeAndStreamed(dialect, model, Script.status(429), json("{}"))) {
      assertThat(answer.path("error").asText()).isEqualTo("RateLimitError");
      assertThat(answer.path("status").asInt()).isEqualTo(429);
      assertThat(answer.path("message").asText()).isNotEmpty();
    }
  }

  @ParameterizedTest(name = "{0} of {1}")
  @MethodSource("dialectsAndModels")
  @DisplayName("report that a stream broke off after its first words")
  void broken(String dialect, String model) throws IOException {
    Script script =
        Script.builder().text("one two three four").fault(new ScriptedFault.Cut(2)).build();
    gateway.upstream().answerNextWith(script);
    JsonNode answer = clients.ask(dialect, model, true, json("{}"));
    if (dialect.equals("responses")) {
      assertThat(answer.path("stop").asText()).isEqualTo("failed");
      assertThat(answer.path("text").asText()).startsWith("one");
    } else {
      assertThat(answer.path("error").asText()).as("%s", answer).endsWith("Error");
    }
  }
}
