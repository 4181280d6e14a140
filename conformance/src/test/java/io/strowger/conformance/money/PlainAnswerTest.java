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

@DisplayName("An answer that comes whole")
class PlainAnswerTest {
  private static Json.Obj saying(String text) {
    return Json.object().put("role", "assistant").put("content", text).build();
  }

  private static Json.Obj thinking(String thought) {
    return Json.object().put("role", "assistant").put("reasoning", thought).build();
  }

  private static Json.Obj calling(String arguments) {
    Json.Obj function = Json.object().put("name", "look").put("arguments", arguments).build();
    Json.Obj call =
        Json.object().put("id", "a").put("type", "function").put("function", function).build();
    return Json.object().put("role", "assistant").put("tool_calls", Json.array(call)).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/chat/completions", "/messages", "/responses"})
  @DisplayName("is shortened to its hold, says so in each dialect, and is paid:")
  void huge(String path) {
    try (var scene = new Scene()) {
      scene.upstream.answers(document(saying("x".repeat(9_000_000)), "stop", counts(0, 0)));
      String body = scene.ask(path, false, false).body();
      assertThat(body.length()).isLessThan(24_000);
      assertThat(body)
          .contains(
              switch (path) {
                case "/messages" -> "\"stop_reason\":\"max_tokens\"";
                case "/responses" -> "\"incomplete_details\":{\"reason\":\"max_output_tokens\"}";
                default -> "\"finish_reason\":\"length\"";
              });
      CallRecord record = scene.record();
      assertThat(record.cost().nanos()).isEqualTo(2 * Scene.PROMPT_PRICE + Scene.CAP * 2_000L);
      assertThat(scene.balance().overrun().nanos()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"content", "reasoning", "tool_calls"})
  @DisplayName("is estimated when its provider counts nothing, whatever it says:")
  void uncounted(String member) {
    Json.Obj message =
        switch (member) {
          case "content" -> saying("12345678");
          case "reasoning" -> thinking("12345678");
          default -> calling("12345678");
        };
    try (var scene = new Scene()) {
      scene.upstream.answers(document(message, "stop", counts(0, 0)));
      String body = scene.ask("/chat/completions", false, false).body();
      assertThat(body).contains("\"completion_tokens\":2", "\"prompt_tokens\":2");
      assertThat(scene.record().cost().nanos()).isEqualTo(2 * 1_000 + 2 * 2_000);
    }
  }

  @Test
  @DisplayName("costs nothing when its tool call ends in the middle, and is no answer")
  void cutArguments() {
    try (var scene = new Scene()) {
      scene.upstream.answers(document(calling("{\"city\": \"Par"), "tool_calls", counts(7, 3)));
      Scene.Heard heard = scene.ask("/chat/completions", false, false);
      assertThat(heard.status()).isEqualTo(502);
      assertThat(scene.record().cost().nanos()).isZero();
    }
  }

  @Test
  @DisplayName("keeps a tool call that the limit cut")
  void cutByLimit() {
    try (var scene = new Scene()) {
      scene.upstream.answers(document(calling("{\"city\": \"Par"), "length", counts(7, 3)));
      Scene.Heard heard = scene.ask("/chat/completions", false, false);
      assertThat(heard.body()).contains("{\\\"city\\\": \\\"Par", "\"finish_reason\":\"length\"");
      assertThat(scene.record().cost().nanos()).isEqualTo(13_000);
    }
  }

  @Test
  @DisplayName("costs what its tokens cost, whatever its provider says it costs")
  void claimedCost() {
    try (var scene = new Scene()) {
      scene.upstream.answers(
          document(
              saying("12345678"),
              "stop",
              counts(7, 3).with("cost", Json.of(0)).with("is_byok", Json.TRUE)));
      String body = scene.ask("/chat/completions", false, false).body();
      assertThat(scene.record().cost().nanos()).isEqualTo(13_000);
      assertThat(body).contains("\"cost\":0.000013");
    }
  }

  @Test
  @DisplayName("is not kept in the cache when it was shortened")
  void notCached() {
    try (var scene = new Scene()) {
      scene.caches = true;
      scene.upstream.answers(document(saying("x".repeat(9_000_000)), "stop", counts(7, 3)));
      scene.upstream.answers(document(saying("short"), "stop", counts(7, 3)));
      scene.ask("/chat/completions", false, false);
      scene.record();
      assertThat(scene.ask("/chat/completions", false, false).body()).contains("short");
      scene.record();
      assertThat(scene.ask("/chat/completions", false, false).body()).contains("short");
      assertThat(scene.record().cachedGeneration()).isNotNull();
    }
  }
}
