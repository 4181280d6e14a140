package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.simulated.Script;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests every row of the table of stop reasons. Translation fact sheet, section 2. */
@DisplayName("The reason why an answer ended")
class DialectStopsTest {
  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  /**
   * Returns the responses of each caller's dialect, first not streamed and then streamed, if the
   * upstream ends with a reason.
   */
  private List<DialectGateway.TestResponse> askInAllDialects(
      DialectUpstream upstream, String word) {
    var responses = new ArrayList<DialectGateway.TestResponse>();
    gateway.upstream.script("large", Script.builder().text("So far").finishReason(word).build());
    for (DialectClient client : DialectClient.values()) {
      responses.add(gateway.post(client, client.hello(upstream), false));
      responses.add(gateway.post(client, client.hello(upstream), true));
    }
    return responses;
  }

  @Proves({
    "message.stop_reason",
    "message.stop_sequence",
    "translation.stop.END",
    "translation.stop.STOP_SEQUENCE",
    "translation.stop.LENGTH",
    "translation.stop.CONTEXT_WINDOW",
    "translation.stop.CONTENT_FILTER",
    "translation.stop.REFUSAL"
  })
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "CHAT, stop, stop, end_turn, completed",
    "CHAT, length, length, max_tokens, max_output_tokens",
    "CHAT, content_filter, content_filter, refusal, content_filter",
    "MESSAGES, end_turn, stop, end_turn, completed",
    "MESSAGES, stop_sequence, stop, stop_sequence, completed",
    "MESSAGES, max_tokens, length, max_tokens, max_output_tokens",
    "MESSAGES, model_context_window_exceeded, length, model_context_window_exceeded,"
        + " max_output_tokens",
    "MESSAGES, refusal, content_filter, refusal, content_filter",
    "MESSAGES, pause_turn, stop, pause_turn, completed",
    "MESSAGES, compaction, stop, compaction, completed",
    "RESPONSES, stop, stop, end_turn, completed",
    "RESPONSES, length, length, max_tokens, max_output_tokens",
    "RESPONSES, content_filter, content_filter, refusal, content_filter",
    "GEMINI, STOP, stop, end_turn, completed",
    "GEMINI, MAX_TOKENS, length, max_tokens, max_output_tokens",
    "GEMINI, SAFETY, content_filter, refusal, content_filter",
    "GEMINI, RECITATION, content_filter, refusal, content_filter",
    "GEMINI, BLOCKLIST, content_filter, refusal, content_filter",
    "GEMINI, PROHIBITED_CONTENT, content_filter, refusal, content_filter",
    "GEMINI, SPII, content_filter, refusal, content_filter",
    "GEMINI, IMAGE_SAFETY, content_filter, refusal, content_filter",
  })
  @DisplayName("is given in the words of each caller's dialect")
  void words(
      DialectUpstream upstream, String word, String chat, String messages, String responses) {
    for (DialectGateway.TestResponse response : askInAllDialects(upstream, word)) {
      JsonNode answer = response.answer();
      assertThat(response.content().text()).isEqualTo("So far");
      switch (response.client()) {
        case CHAT -> {
          JsonNode choice = answer.at("/choices/0");
          assertThat(choice.path("finish_reason").asText()).isEqualTo(chat);
          if (upstream != DialectUpstream.RESPONSES) { // which gives the reason in two places
            assertThat(choice.path("native_finish_reason").asText()).isEqualTo(word);
          }
        }
        case MESSAGES -> assertThat(answer.path("stop_reason").asText()).isEqualTo(messages);
        case RESPONSES -> {
          String reason = answer.at("/incomplete_details/reason").asText("");
          assertThat(reason.isEmpty() ? answer.path("status").asText() : reason)
              .isEqualTo(responses);
        }
      }
    }
  }

  @Proves("translation.stop.ERROR")
  @ParameterizedTest(name = "{0}")
  @CsvSource({"OTHER", "MALFORMED_FUNCTION_CALL"})
  @DisplayName("is an error if the model failed, not a normal end or a call")
  void failed(String word) {
    for (DialectGateway.TestResponse response : askInAllDialects(DialectUpstream.GEMINI, word)) {
      assertThat(response.body())
          .contains("\"error")
          .doesNotContain("\"tool_use\"", "\"tool_calls\"");
    }
  }

  @Proves("translation.stop.TOOL_CALLS")
  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName("is the tool calls if there are some, whatever reason the upstream gives")
  void calls(DialectClient client) {
    gateway.upstream.script(
        "large", Script.builder().text("").toolCall("c1", "weather", "{}").build());
    for (DialectUpstream upstream : DialectUpstream.values()) {
      for (boolean streaming : new boolean[] {false, true}) {
        var request = client.withTool(client.hello(upstream), "weather");
        assertThat(gateway.post(client, request, streaming).content().stop())
            .isEqualTo("tool_calls");
      }
    }
  }
}
