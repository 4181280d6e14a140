package io.strowger.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A simulated upstream for requests in the responses dialect")
class ResponsesProtocolTest {
  private final SimulatedUpstream upstream = SimulatedUpstream.start(TestAmbient.realTime());

  @AfterEach
  void close() {
    upstream.close();
  }

  private String ask(boolean streaming) throws IOException {
    var connection =
        (HttpURLConnection) upstream.baseUri().resolve("/v1/responses").toURL().openConnection();
    connection.setDoOutput(true);
    connection
        .getOutputStream()
        .write(("{\"model\":\"m\",\"stream\":" + streaming + "}").getBytes(StandardCharsets.UTF_8));
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Script allPartsScript() {
    return Script.builder()
        .reasoning("Hm.")
        .text("Hi")
        .chunks(2)
        .toolCall("call_1", "look", "{}")
        .tokens(10, 8)
        .tokenDetails(4, 2)
        .build();
  }

  @Test
  @DisplayName("answers with a response that has reasoning, message and calls as items")
  void whole() throws IOException {
    upstream.answerNextWith(allPartsScript());
    assertThat(ask(false))
        .isEqualTo(
            """
            {"id":"resp_simulated","object":"response","created_at":1700000000,\
            "status":"completed","error":null,"incomplete_details":null,"model":"m","output":[\
            {"type":"reasoning","id":"rs_simulated","summary":[{"type":"summary_text",\
            "text":"Hm."}],"encrypted_content":"c2ltdWxhdGVk"},\
            {"type":"message","id":"msg_simulated","status":"completed","role":"assistant",\
            "content":[{"type":"output_text","annotations":[],"text":"Hi"}]},\
            {"type":"function_call","id":"fc_call_1","status":"completed","call_id":"call_1",\
            "name":"look","arguments":"{}"}],"usage":{"input_tokens":10,\
            "input_tokens_details":{"cached_tokens":4},"output_tokens":8,\
            "output_tokens_details":{"reasoning_tokens":2},"total_tokens":18}}\
            """);
    upstream.answerNextWith(Script.builder().finishReason("length").build());
    assertThat(ask(false))
        .contains(
            "\"status\":\"incomplete\"",
            "\"incomplete_details\":{\"reason\":\"max_output_tokens\"}");
  }

  @Test
  @DisplayName("streams named events in the dialect's order, with consecutive numbers")
  void stream() throws IOException {
    upstream.answerNextWith(allPartsScript());
    List<String> lines = ask(true).lines().toList();
    assertThat(lines.stream().filter(line -> line.startsWith("event: response.")))
        .map(line -> line.substring("event: response.".length()))
        .containsExactly(
            "created",
            "in_progress",
            "output_item.added",
            "reasoning_summary_part.added",
            "reasoning_summary_text.delta",
            "reasoning_summary_text.done",
            "reasoning_summary_part.done",
            "output_item.done",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "output_item.added",
            "function_call_arguments.delta",
            "function_call_arguments.delta",
            "function_call_arguments.done",
            "output_item.done",
            "completed");
    List<String> data = lines.stream().filter(line -> line.startsWith("data: ")).toList();
    assertThat(IntStream.range(0, data.size()))
        .allMatch(i -> data.get(i).endsWith(",\"sequence_number\":" + i + "}"));
  }

  @Test
  @DisplayName("fails as scripted: without a last event, or with an error event")
  void faults() throws IOException {
    upstream.answerNextWith(Script.failing(new ScriptedFault.Unfinished()));
    assertThat(ask(true)).contains("output_text.delta").doesNotContain("response.completed");
    upstream.answerNextWith(
        Script.failing(new ScriptedFault.ErrorFrame(1, "{\"type\":\"error\"}")));
    assertThat(ask(true))
        .contains("output_text.delta")
        .endsWith("event: error\ndata: {\"type\":\"error\"}\n\n");
  }
}
