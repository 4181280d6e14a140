package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamCallBenchmarkTest {
  private final JacksonPeer jackson = new JacksonPeer();

  @ParameterizedTest
  @ValueSource(strings = {"chat-to-chat", "chat-to-messages"})
  @DisplayName(
      "A stream through the gateway has the same text as one without it, and its cost is measured")
  void sameText(String dialects) throws Exception {
    var benchmark = new StreamCallBenchmark();
    benchmark.dialects = dialects;
    benchmark.setUp();
    try {
      var cpu = new CallCpu();
      cpu.begin();
      benchmark.relay(cpu);
      String relayed = text(benchmark.answer());
      benchmark.gateway(cpu);
      assertThat(text(benchmark.answer()))
          .isEqualTo(relayed)
          .isEqualTo("A few words. ".repeat(StreamCallBenchmark.CHUNKS));
      cpu.end();
      assertThat(cpu.calls).isEqualTo(2);
      assertThat(cpu.cpuNanos).isPositive();
    } finally {
      benchmark.tearDown();
    }
  }

  /** Returns the text of a stream of chat chunks or messages events. */
  private String text(byte[] stream) throws IOException {
    var text = new StringBuilder();
    for (String line : new String(stream, StandardCharsets.UTF_8).lines().toList()) {
      if (line.startsWith("data: {")) {
        JsonNode frame =
            jackson.tree(line.substring("data: ".length()).getBytes(StandardCharsets.UTF_8));
        text.append(frame.at("/choices/0/delta/content").asText());
        text.append(frame.at("/delta/text").asText());
      }
    }
    return text.toString();
  }
}
