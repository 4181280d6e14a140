package io.strowger.tck;

import static io.strowger.tck.Given.call;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.streaming;
import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.pause;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A scripted provider")
class ScriptedProviderTest {
  private final TestAmbient ambient = TestAmbient.at("2026-01-05T12:00:00Z");
  private final ScriptedProvider upstream = new ScriptedProvider(ambient);
  private final Call asked = call(endpoint("alpha", "author/m", "1"), streaming("author/m", "hi"));

  @Test
  @DisplayName("says the lines of its script one after the other and remembers the calls")
  void inOrder() throws UpstreamException {
    upstream
        .refuses(failure(FailureKind.RATE_LIMITED, 429, 7))
        .streams(text("a"), finished())
        .answers(Given.answer("b"));

    assertThatThrownBy(() -> upstream.open(asked))
        .isInstanceOfSatisfying(
            UpstreamException.class, e -> assertThat(e.failure().retryAfterSeconds()).isEqualTo(7));
    try (EventStream stream = upstream.open(asked)) {
      assertThat(stream.next()).isEqualTo(new Event.TextDelta("a"));
      assertThat(stream.next()).isEqualTo(new Event.Finished(StopReason.END, null, null));
    }
    try (EventStream stream = upstream.open(asked)) {
      assertThat(stream.next()).isInstanceOf(Event.UsageReport.class);
      assertThat(stream.next()).isInstanceOf(Event.CompleteAnswer.class);
    }
    assertThat(upstream.calls()).hasSize(3).containsOnly(asked);
    upstream.assertEveryStreamClosed();
  }

  @Test
  @DisplayName("breaks as a faulty adapter would, and refuses a call its script does not foresee")
  void breaks() {
    upstream.breaks(new IllegalStateException("bug"));
    assertThatThrownBy(() -> upstream.open(asked)).hasMessage("bug");
    assertThatThrownBy(() -> upstream.open(asked)).isInstanceOf(AssertionError.class);
  }

  @Test
  @DisplayName("is silent for the time the script says, no longer and no shorter")
  void pauses() throws Exception {
    upstream.streams(text("a"), pause(Duration.ofSeconds(61)), text("b"), finished());
    var events = new LinkedBlockingQueue<Event>();
    ambient.start("reader", () -> readInto(events));

    assertThat(soon(events)).isEqualTo(new Event.TextDelta("a"));
    ambient.awaitSleepers(1);
    ambient.advance(Duration.ofSeconds(60));
    assertThat(events).isEmpty();
    ambient.advance(Duration.ofSeconds(1));
    assertThat(soon(events)).isEqualTo(new Event.TextDelta("b"));
    ambient.assertNoThreadsLeft();
    upstream.assertEveryStreamClosed();
  }

  @Test
  @DisplayName("leaves no thread behind when a pause is cut short")
  void pauseCutShort() throws Exception {
    upstream.streams(text("a"), pause(Duration.ofDays(1)), finished());
    var events = new LinkedBlockingQueue<Event>();
    ambient.start("reader", () -> readInto(events));
    soon(events);
    ambient.awaitSleepers(1);

    asked.cancellation().cancel(Cancellation.Cause.GAP);

    assertThat(soon(events))
        .isInstanceOfSatisfying(
            Event.Failed.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.TIMEOUT));
    ambient.assertNoThreadsLeft();
  }

  private void readInto(LinkedBlockingQueue<Event> events) {
    try (EventStream stream = upstream.open(asked)) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    } catch (UpstreamException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Event soon(LinkedBlockingQueue<Event> events)
      throws InterruptedException {
    return events.poll(10, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("tells that a stream was not closed")
  void notClosed() throws UpstreamException {
    upstream.streams(finished());
    upstream.open(asked).next();
    assertThatThrownBy(upstream::assertEveryStreamClosed).hasMessageContaining("author/m@alpha");
  }

  @Test
  @DisplayName("has its streams checked for events after the last event, and ends that are missing")
  void checkedSource() throws UpstreamException {
    upstream.streams(finished(), text("more")).streams(text("a"));
    try (var stream = upstream.open(asked)) {
      stream.next();
      assertThat(stream.next()).isNull();
    }
    try (var stream = upstream.open(asked)) {
      stream.next();
      assertThatThrownBy(stream::next).isInstanceOf(AssertionError.class);
    }
    var endless = new AssertingEventStream("made", EventStream.of(List.of()));
    assertThatThrownBy(endless::next).hasMessageContaining("before a terminal event");
    var end = new Event.Finished(StopReason.END, null, null);
    var twice = new AssertingEventStream("made", EventStream.of(List.of(end, end)));
    twice.next();
    assertThatThrownBy(twice::next).hasMessageContaining("after the terminal event");
  }

  @Test
  @DisplayName("plays what the call itself asks for once the script is used up")
  void always() throws UpstreamException {
    upstream.always(
        call -> List.of(emit(new Event.TextDelta(Given.lastText(call.request()))), finished()));
    for (String text : List.of("one", "two")) {
      try (var stream = upstream.open(call(asked.endpoint(), streaming("author/m", text)))) {
        assertThat(stream.next()).isEqualTo(new Event.TextDelta(text));
      }
    }
  }

  @Test
  @DisplayName("tells that two threads read one stream at once")
  void twoReaders() throws Exception {
    upstream.streams(pause(Duration.ofSeconds(1)), text("a"), text("b"), finished());
    try (var stream = upstream.open(asked)) {
      ambient.start("first", stream::next);
      ambient.awaitSleepers(1);
      Thread second = ambient.start("second", stream::next);
      while (second.isAlive() && second.getState() != Thread.State.WAITING) {
        Thread.onSpinWait(); // it has to arrive while the first one still reads
      }
      ambient.advance(Duration.ofSeconds(1));
      ambient.assertNoThreadsLeft();
    }
    assertThatThrownBy(upstream::assertEveryStreamClosed).hasMessageContaining("while");
  }
}
