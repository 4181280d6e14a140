package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.dialects.CallerDialect;
import io.strowger.conformance.dialects.EventTexts;
import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A stream of frames without content")
class SilentFramesTest {
  private static final List<String> MESSAGES_NAMES =
      List.of(
          "message_start",
          "content_block_start",
          "content_block_delta",
          "content_block_stop",
          "message_delta",
          "ping",
          "message_stop",
          "unheard_of");

  private static final List<String> RESPONSES_NAMES =
      List.of(
          "response.created",
          "response.in_progress",
          "response.output_item.added",
          "response.content_part.added",
          "response.output_text.delta",
          "response.output_text.done",
          "response.output_text.annotation.added",
          "response.reasoning_text.delta",
          "response.reasoning_summary_text.delta",
          "response.refusal.delta",
          "response.function_call_arguments.delta",
          "response.function_call_arguments.done",
          "response.content_part.done",
          "response.output_item.done",
          "unheard_of");

  private static String named(List<String> names) {
    var frames = new StringBuilder();
    names.forEach(name -> frames.append("event: ").append(name).append("\ndata: {}\n\n"));
    return frames.toString();
  }

  private static String typed(List<String> names) {
    var frames = new StringBuilder();
    names.forEach(name -> frames.append("data: {\"type\":\"").append(name).append("\"}\n\n"));
    return frames.toString();
  }

  static Stream<Arguments> streams() {
    var cases = new ArrayList<Arguments>();
    for (Upstream upstream : Upstream.values()) {
      cases.add(Arguments.of(upstream, "data: {}\n\n".repeat(50)));
      cases.add(Arguments.of(upstream, named(MESSAGES_NAMES)));
      cases.add(Arguments.of(upstream, named(RESPONSES_NAMES)));
    }
    cases.add(Arguments.of(Upstream.MESSAGES, typed(MESSAGES_NAMES)));
    cases.add(Arguments.of(Upstream.RESPONSES, typed(RESPONSES_NAMES)));
    for (String choice :
        List.of(
            "{}",
            "{\"index\":1}",
            "{\"index\":1,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}",
            "{\"delta\":{\"tool_calls\":[{}]}}",
            "{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"\"}}]}}",
            "{\"delta\":{\"annotations\":[{}]}}")) {
      cases.add(Arguments.of(Upstream.CHAT, "data: {\"choices\":[" + choice + "]}\n\n".repeat(3)));
    }
    cases.add(
        Arguments.of(
            Upstream.GEMINI, "data: {\"candidates\":[{\"content\":{\"parts\":[{}]}}]}\n\n"));
    return cases.stream();
  }

  private static InferenceRequest request(CallerDialect caller) {
    String prompt =
        switch (caller) {
          case CHAT -> "'messages':[{'role':'user','content':'Hi'}]";
          case MESSAGES -> "'max_tokens':9,'messages':[{'role':'user','content':'Hi'}]";
          case RESPONSES -> "'input':'Hi'";
        };
    return caller.decode(
        (Json.Obj) TestJson.of("{'model':'lab/model','stream':true," + prompt + "}"));
  }

  @ParameterizedTest
  @MethodSource("streams")
  @DisplayName("is not committed, so that another endpoint can be tried")
  void silent(Upstream upstream, String body) {
    for (CallerDialect caller : CallerDialect.values()) {
      List<Event> events =
          EventTexts.readAll(
              upstream.stream(
                  new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                  request(caller)));
      assertThat(events).as("%s", EventTexts.describe(events)).noneMatch(Event::isContent);
      assertThat(events.getLast())
          .isInstanceOfSatisfying(
              Event.Failed.class,
              failed -> assertThat(failed.kind()).isEqualTo(FailureKind.PROTOCOL));
    }
  }
}
