package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TranslateBenchmarkTest {
  private final JacksonPeer jackson = new JacksonPeer();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "messages-to-messages",
        "responses-to-responses",
        "chat-to-messages",
        "chat-to-responses",
        "messages-to-chat",
        "responses-to-chat",
        "gemini-to-chat"
      })
  @DisplayName("The caller gets the upstream's text, one piece for each chunk, in its own dialect")
  void sameText(String dialects) throws Exception {
    var benchmark = new TranslateBenchmark();
    benchmark.dialects = dialects;
    benchmark.setUp();
    try {
      benchmark.relay();
      DialectPair parsed = DialectPair.of(dialects);
      List<String> sent =
          TextStreams.of(parsed.upstream()).chunks().stream()
              .map(chunk -> text(parsed.upstream(), chunk))
              .toList();
      List<String> read =
          benchmark
              .relayed()
              .lines()
              .filter(line -> line.startsWith("data: {"))
              .map(
                  line ->
                      text(
                          parsed.caller(),
                          line.substring("data: ".length()).getBytes(StandardCharsets.UTF_8)))
              .filter(text -> !text.isEmpty())
              .toList();
      assertThat(read).isEqualTo(sent).hasSize(ChatStreams.CHUNKS);
      assertThat(benchmark.relayed()).contains(ending(parsed.caller()));
    } finally {
      benchmark.tearDown();
    }
  }

  @ParameterizedTest
  @EnumSource(Api.class)
  @DisplayName("Chunks of every dialect are about 300 bytes, and all of them are different")
  void chunks(Api api) {
    List<byte[]> chunks = TextStreams.of(api).chunks();
    assertThat(chunks).hasSize(ChatStreams.CHUNKS);
    assertThat(chunks).allSatisfy(chunk -> assertThat(chunk.length).isBetween(250, 330));
    assertThat(chunks.stream().map(chunk -> new String(chunk, StandardCharsets.UTF_8)).distinct())
        .hasSize(ChatStreams.CHUNKS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"chat-to-messages", "gemini-to-chat"})
  @DisplayName("The peers read and write every chunk")
  void peers(String dialects) throws Exception {
    var benchmark = new TranslateBenchmark();
    benchmark.dialects = dialects;
    benchmark.setUp();
    try {
      assertThat(benchmark.tokens()).isGreaterThan(ChatStreams.CHUNKS * 5);
      int bytes =
          TextStreams.of(DialectPair.of(dialects).upstream()).chunks().stream()
              .mapToInt(chunk -> chunk.length)
              .sum();
      assertThat(benchmark.rewrite()).isEqualTo(bytes);
    } finally {
      benchmark.tearDown();
    }
  }

  private String text(Api api, byte[] data) {
    try {
      JsonNode frame = jackson.tree(data);
      return switch (api) {
        case CHAT -> frame.at("/choices/0/delta/content").asText();
        case MESSAGES -> frame.at("/delta/text").asText();
        case RESPONSES -> frame.at("/delta").asText();
        case GEMINI -> frame.at("/candidates/0/content/parts/0/text").asText();
      };
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }

  private static String ending(Api api) {
    return switch (api) {
      case CHAT -> "data: [DONE]";
      case MESSAGES -> "event: message_stop";
      case RESPONSES -> "\"response.completed\"";
      case GEMINI -> throw new IllegalArgumentException("no caller uses this dialect");
    };
  }
}
