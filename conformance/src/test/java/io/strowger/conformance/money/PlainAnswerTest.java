package io.strowger.conformance.money;

import static io.strowger.conformance.money.ChatBytes.counts;
import static io.strowger.conformance.money.ChatBytes.document;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An answer that is not streamed")
class PlainAnswerTest {
  private static Json.Obj textMessage(String text) {
    return Json.object().put("role", "assistant").put("content", text).build();
  }

  private static Json.Obj reasoningMessage(String thought) {
    return Json.object().put("role", "assistant").put("reasoning", thought).build();
  }

  private static Json.Obj toolCallMessage(String arguments) {
    Json.Obj function = Json.object().put("name", "look").put("arguments", arguments).build();
    Json.Obj call =
        Json.object().put("id", "a").put("type", "function").put("function", function).build();
    return Json.object().put("role", "assistant").put("tool_calls", Json.array(call)).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/chat/completions", "/messages", "/responses"})
  @DisplayName(
      "is shortened to its hold, has the finish reason for it, and is charged, in each dialect:")
  void shortened(String path) {
    try (var gateway = new MoneyGateway()) {
      gateway.upstream.answers(document(textMessage("x".repeat(9_000_000)), "stop", counts(0, 0)));
      String body = gateway.ask(path, false, false).body();
      assertThat(body.length()).isLessThan(24_000);
      assertThat(body)
          .contains(
              switch (path) {
                case "/messages" -> "\"stop_reason\":\"max_tokens\"";
                case "/responses" -> "\"incomplete_details\":{\"reason\":\"max_output_tokens\"}";
                default -> "\"finish_reason\":\"length\"";
              });
      CallRecord record = gateway.record();
      assertThat(record.cost().nanos())
          .isEqualTo(2 * MoneyGateway.PROMPT_PRICE + MoneyGateway.MAX_OUTPUT_TOKENS * 2_000L);
      assertThat(gateway.balance().overrun().nanos()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"content", "reasoning", "tool_calls"})
  @DisplayName(
      "is charged by an estimate when its provider counts no tokens, whatever it contains:")
  void uncounted(String member) {
    Json.Obj message =
        switch (member) {
          case "content" -> textMessage("12345678");
          case "reasoning" -> reasoningMessage("12345678");
          default -> toolCallMessage("12345678");
        };
    try (var gateway = new MoneyGateway()) {
      gateway.upstream.answers(document(message, "stop", counts(0, 0)));
      String body = gateway.ask("/chat/completions", false, false).body();
      assertThat(body).contains("\"completion_tokens\":2", "\"prompt_tokens\":2");
      assertThat(gateway.record().cost().nanos()).isEqualTo(2 * 1_000 + 2 * 2_000);
    }
  }

  @Test
  @DisplayName("is an error and costs nothing when the arguments of its tool call are cut off")
  void cutArguments() {
    try (var gateway = new MoneyGateway()) {
      gateway.upstream.answers(
          document(toolCallMessage("{\"city\": \"Par"), "tool_calls", counts(7, 3)));
      MoneyGateway.Response response = gateway.ask("/chat/completions", false, false);
      assertThat(response.status()).isEqualTo(502);
      assertThat(gateway.record().cost().nanos()).isZero();
    }
  }

  @Test
  @DisplayName("keeps a tool call that the output limit cut off")
  void cutByLimit() {
    try (var gateway = new MoneyGateway()) {
      gateway.upstream.answers(
          document(toolCallMessage("{\"city\": \"Par"), "length", counts(7, 3)));
      MoneyGateway.Response response = gateway.ask("/chat/completions", false, false);
      assertThat(response.body())
          .contains("{\\\"city\\\": \\\"Par", "\"finish_reason\":\"length\"");
      assertThat(gateway.record().cost().nanos()).isEqualTo(13_000);
    }
  }

  @Test
  @DisplayName("costs the price of its tokens, whatever cost its provider reports")
  void claimedCost() {
    try (var gateway = new MoneyGateway()) {
      gateway.upstream.answers(
          document(
              textMessage("12345678"),
              "stop",
              counts(7, 3).with("cost", Json.of(0)).with("is_byok", Json.TRUE)));
      String body = gateway.ask("/chat/completions", false, false).body();
      assertThat(gateway.record().cost().nanos()).isEqualTo(13_000);
      assertThat(body).contains("\"cost\":0.000013");
    }
  }

  @Test
  @DisplayName("is not cached when it was shortened")
  void notCached() {
    try (var gateway = new MoneyGateway()) {
      gateway.usesCache = true;
      gateway.upstream.answers(document(textMessage("x".repeat(9_000_000)), "stop", counts(7, 3)));
      gateway.upstream.answers(document(textMessage("short"), "stop", counts(7, 3)));
      gateway.ask("/chat/completions", false, false);
      gateway.record();
      assertThat(gateway.ask("/chat/completions", false, false).body()).contains("short");
      gateway.record();
      assertThat(gateway.ask("/chat/completions", false, false).body()).contains("short");
      assertThat(gateway.record().cachedGeneration()).isNotNull();
    }
  }
}
