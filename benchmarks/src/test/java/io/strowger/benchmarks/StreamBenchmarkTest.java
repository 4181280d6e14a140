package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamBenchmarkTest {
  @ParameterizedTest
  @ValueSource(strings = {"text", "padded"})
  @DisplayName("Every chunk of text is one event with its text, and is about 300 bytes")
  void text(String name) throws Exception {
    ChatStreams streams = ChatStreams.named(name);
    List<String> received = new ArrayList<>();
    for (Event event : events(streams)) {
      if (event instanceof Event.TextDelta delta && !delta.text().isEmpty()) {
        received.add(delta.text().text());
      }
    }
    List<String> sent = new ArrayList<>();
    for (byte[] chunk : streams.chunks()) {
      assertThat(chunk.length).isBetween(270, 330);
      sent.add(textOf(chunk));
    }
    assertThat(received).isEqualTo(sent).hasSize(ChatStreams.CHUNKS);
  }

  @Test
  @DisplayName("The chunks of usage give usage reports, and the stream is complete")
  void usage() throws Exception {
    List<Event> events = events(ChatStreams.named("usage"));
    assertThat(events.stream().filter(Event.UsageReport.class::isInstance).count())
        .isGreaterThanOrEqualTo(1);
    assertThat(events.getLast()).isInstanceOf(Event.Finished.class);
  }

  @Test
  @DisplayName("Every method returns a valid result, and the relay passes every chunk on")
  void everyMethod() throws Exception {
    var benchmark = new StreamBenchmark();
    benchmark.setUp();
    try {
      assertThat(benchmark.tokens()).isGreaterThan(ChatStreams.CHUNKS * 10);
      assertThat(benchmark.split()).isEqualTo(ChatStreams.CHUNKS + 4);
      assertThat(benchmark.relay()).isGreaterThan(ChatStreams.CHUNKS * 200);
      List<String> relayed =
          benchmark
              .relayed()
              .lines()
              .filter(line -> line.contains("\"obfuscation\"") && line.contains("\"content\":\" "))
              .toList();
      assertThat(relayed).hasSize(ChatStreams.CHUNKS).noneMatch(line -> line.contains("chatcmpl-"));
    } finally {
      benchmark.tearDown();
    }
  }

  private static List<Event> events(ChatStreams streams) throws Exception {
    var events = new ArrayList<Event>();
    var provider =
        new OpenAiChatFactory(new MemoryTransport(streams.stream()))
            .create(AdapterCalls.settings());
    try (EventStream answer = provider.open(AdapterCalls.streamingCall())) {
      for (Event event = answer.next(); event != null; event = answer.next()) {
        events.add(event);
      }
    }
    return events;
  }

  private static String textOf(byte[] chunk) throws Exception {
    return new JacksonPeer().tree(chunk).at("/choices/0/delta/content").asText();
  }
}
