package io.strowger.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A simulated upstream for requests in the messages dialect")
class MessagesProtocolTest {
  private final SimulatedUpstream upstream = SimulatedUpstream.start(TestAmbient.realTime());

  @AfterEach
  void close() {
    upstream.close();
  }

  private String ask(String path, boolean streaming) throws IOException {
    var connection =
        (HttpURLConnection) upstream.baseUri().resolve("/v1/" + path).toURL().openConnection();
    connection.setDoOutput(true);
    connection
        .getOutputStream()
        .write(("{\"model\":\"m\",\"stream\":" + streaming + "}").getBytes(StandardCharsets.UTF_8));
    try (InputStream in =
        connection.getResponseCode() == 200
            ? connection.getInputStream()
            : connection.getErrorStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  @DisplayName("answers with a message that has reasoning, text and calls as blocks")
  void whole() throws IOException {
    upstream.answerNextWith(
        Script.builder()
            .reasoning("Hm.")
            .text("Hi")
            .toolCall("toolu_1", "look", "{\"a\":1}")
            .tokens(10, 8)
            .tokenDetails(4, 2)
            .build());
    assertThat(ask("messages", false))
        .isEqualTo(
            """
            {"id":"msg_simulated","type":"message","role":"assistant","model":"m","content":[\
            {"type":"thinking","thinking":"Hm.","signature":"c2ltdWxhdGVk"},\
            {"type":"text","text":"Hi"},\
            {"type":"tool_use","id":"toolu_1","name":"look","input":{"a":1}}],\
            "stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":6,\
            "cache_creation_input_tokens":0,"cache_read_input_tokens":4,"output_tokens":8,\
            "output_tokens_details":{"thinking_tokens":2}}}\
            """);
  }

  @Test
  @DisplayName("streams named events with blocks that never overlap")
  void stream() throws IOException {
    upstream.answerNextWith(
        Script.builder()
            .reasoning("Hm.")
            .text("Hi")
            .chunks(2)
            .toolCall("toolu_1", "look", "")
            .toolCall("toolu_2", "look", "{}")
            .build());
    assertThat(ask("messages", true).lines().filter(line -> line.startsWith("event: ")))
        .containsExactly(
            "event: message_start",
            "event: content_block_start",
            "event: content_block_delta",
            "event: content_block_delta",
            "event: content_block_stop",
            "event: content_block_start",
            "event: content_block_delta",
            "event: content_block_delta",
            "event: content_block_stop",
            "event: content_block_start",
            "event: content_block_stop",
            "event: content_block_start",
            "event: content_block_delta",
            "event: content_block_delta",
            "event: content_block_stop",
            "event: message_delta",
            "event: message_stop");
  }

  @Test
  @DisplayName("fails as scripted: without a stop reason, with an error event, or with pings")
  void faults() throws IOException {
    upstream.answerNextWith(Script.failing(new ScriptedFault.Unfinished()));
    assertThat(ask("messages", true)).contains("text_delta").doesNotContain("message_delta");
    upstream.answerNextWith(
        Script.failing(new ScriptedFault.ErrorFrame(1, "{\"type\":\"error\"}")));
    assertThat(ask("messages", true))
        .contains("text_delta")
        .endsWith("event: error\ndata: {\"type\":\"error\"}\n\n");
    upstream.answerNextWith(
        Script.failing(new ScriptedFault.Drip(ScriptedFault.AFTER_HEAD, Duration.ofMillis(1))));
    var connection =
        (HttpURLConnection) upstream.baseUri().resolve("/v1/messages").toURL().openConnection();
    connection.setDoOutput(true);
    connection
        .getOutputStream()
        .write("{\"model\":\"m\",\"stream\":true}".getBytes(StandardCharsets.UTF_8));
    byte[] ping = "event: ping\ndata: {\"type\":\"ping\"}\n\n".getBytes(StandardCharsets.UTF_8);
    try (InputStream in = connection.getInputStream()) {
      assertThat(in.readNBytes(ping.length)).isEqualTo(ping);
    } finally {
      connection.disconnect();
    }
  }

  @Test
  @DisplayName("answers with an error for other paths")
  void paths() throws IOException {
    upstream.script("m", Script.answer("x"));
    assertThat(ask("batches", false)).contains("model_not_found");
  }
}
