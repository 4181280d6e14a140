package io.strowger.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A model of the simulated adapter")
class SimulatedFactoryTest {
  private static final Endpoint ENDPOINT = Given.endpoint("alpha", "lab/model", "1");

  private static ProviderSettings settings(TestAmbient ambient) {
    return new ProviderSettings(
        "alpha",
        URI.create("simulated:alpha"),
        Map.of(),
        Duration.ofSeconds(1),
        new JacksonCodec(),
        ambient);
  }

  private static List<Event> read(ChatProvider provider, InferenceRequest request)
      throws UpstreamException {
    var events = new ArrayList<Event>();
    try (EventStream stream = provider.open(Given.call(ENDPOINT, request))) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    }
    return events;
  }

  private static String text(List<Event> events) {
    var text = new StringBuilder();
    for (Event event : events) {
      if (event instanceof Event.TextDelta delta) {
        text.append(delta.text().text());
      }
    }
    return text.toString();
  }

  @Test
  @DisplayName("gives the same answer to the same question, and another answer to another question")
  void deterministic() throws UpstreamException {
    var factory = new SimulatedFactory();
    try (var one = factory.create(settings(TestAmbient.realTime()));
        var two = factory.create(settings(TestAmbient.realTime()))) {
      String words = text(read(one, Given.streaming("lab/model", "why?")));
      assertThat(words).isNotBlank();
      assertThat(text(read(two, Given.streaming("lab/model", "why?")))).isEqualTo(words);
      assertThat(text(read(one, Given.streaming("lab/model", "how?")))).isNotEqualTo(words);
    }
  }

  @Test
  @DisplayName("keeps the limit of the request and reports it as the stop reason")
  void limit() throws UpstreamException {
    try (var provider = new SimulatedFactory().create(settings(TestAmbient.realTime()))) {
      InferenceRequest request =
          Given.streaming("lab/model", "why?").toBuilder().maxOutputTokens(3).build();
      List<Event> events = read(provider, request);
      assertThat(text(events).split(" ")).hasSize(3);
      assertThat(((Event.Finished) events.getLast()).reason()).isEqualTo(StopReason.LENGTH);
    }
  }

  @Test
  @DisplayName("waits by the ambient, before the head and between the chunks")
  void latency() throws InterruptedException {
    var ambient = TestAmbient.at("2026-11-21T08:00:00Z");
    Script slow =
        Script.builder()
            .text("ab")
            .chunks(2)
            .latency(Duration.ofSeconds(5))
            .chunkDelay(Duration.ofSeconds(3))
            .build();
    try (var provider = new SimulatedFactory(call -> slow).create(settings(ambient))) {
      var times = new ArrayList<Long>();
      var firstEvents = new CountDownLatch(2);
      ambient.start(
          "reader",
          () -> {
            try (EventStream stream =
                provider.open(Given.call(ENDPOINT, Given.streaming("lab/model", "x")))) {
              for (Event event = stream.next(); event != null; event = stream.next()) {
                times.add(ambient.nanoTime() / 1_000_000_000L);
                firstEvents.countDown();
              }
            } catch (UpstreamException failure) {
              throw new AssertionError(failure);
            }
          });
      ambient.awaitSleepers(1);
      ambient.advance(Duration.ofSeconds(5));
      assertThat(firstEvents.await(10, TimeUnit.SECONDS)).isTrue();
      ambient.awaitSleepers(1);
      ambient.advance(Duration.ofSeconds(3));
      ambient.assertNoThreadsLeft();
      assertThat(times).containsExactly(5L, 5L, 8L, 8L, 8L);
    }
  }
}
