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
  private final Call call = call(endpoint("alpha", "author/m", "1"), streaming("author/m", "hi"));

  @Test
  @DisplayName("follows its script call by call, and records the calls")
  void inOrder() throws UpstreamException {
    upstream
        .refuses(failure(FailureKind.RATE_LIMITED, 429, 7))
        .streams(text("a"), finished())
        .answers(Given.answer("b"));

    assertThatThrownBy(() -> upstream.open(call))
        .isInstanceOfSatisfying(
            UpstreamException.class, e -> assertThat(e.failure().retryAfterSeconds()).isEqualTo(7));
    try (EventStream stream = upstream.open(call)) {
      assertThat(stream.next()).isEqualTo(new Event.TextDelta("a"));
      assertThat(stream.next()).isEqualTo(new Event.Finished(StopReason.END, null, null));
    }
    try (EventStream stream = upstream.open(call)) {
      assertThat(stream.next()).isInstanceOf(Event.UsageReport.class);
      assertThat(stream.next()).isInstanceOf(Event.CompleteAnswer.class);
    }
    assertThat(upstream.calls()).hasSize(3).containsOnly(call);
    upstream.assertEveryStreamClosed();
  }

  @Test
  @DisplayName(
      "throws as a faulty adapter would, and fails at a call that its script does not have")
  void throwing() {
    upstream.breaks(new IllegalStateException("bug"));
    assertThatThrownBy(() -> upstream.open(call)).hasMessage("bug");
    assertThatThrownBy(() -> upstream.open(call)).isInstanceOf(AssertionError.class);
  }

  @Test
  @DisplayName("pauses for exactly the time in the script")
  void pauses() throws Exception {
    upstream.streams(text("a"), pause(Duration.ofSeconds(61)), text("b"), finished());
    var events = new LinkedBlockingQueue<Event>();
    ambient.start("reader", () -> readInto(events));

    assertThat(nextWithin10Seconds(events)).isEqualTo(new Event.TextDelta("a"));
    ambient.awaitSleepers(1);
    ambient.advance(Duration.ofSeconds(60));
    assertThat(events).isEmpty();
    ambient.advance(Duration.ofSeconds(1));
    assertThat(nextWithin10Seconds(events)).isEqualTo(new Event.TextDelta("b"));
    ambient.assertNoThreadsLeft();
    upstream.assertEveryStreamClosed();
  }

  @Test
  @DisplayName("leaves no thread behind when a pause is cut short")
  void pauseCutShort() throws Exception {
    upstream.streams(text("a"), pause(Duration.ofDays(1)), finished());
    var events = new LinkedBlockingQueue<Event>();
    ambient.start("reader", () -> readInto(events));
    nextWithin10Seconds(events);
    ambient.awaitSleepers(1);

    call.cancellation().cancel(Cancellation.Cause.GAP);

    assertThat(nextWithin10Seconds(events))
        .isInstanceOfSatisfying(
            Event.Failed.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.TIMEOUT));
    ambient.assertNoThreadsLeft();
  }

  private void readInto(LinkedBlockingQueue<Event> events) {
    try (EventStream stream = upstream.open(call)) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    } catch (UpstreamException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Event nextWithin10Seconds(LinkedBlockingQueue<Event> events)
      throws InterruptedException {
    return events.poll(10, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("reports a stream that was not closed")
  void notClosed() throws UpstreamException {
    upstream.streams(finished());
    upstream.open(call).next();
    assertThatThrownBy(upstream::assertEveryStreamClosed).hasMessageContaining("author/m@alpha");
  }

  @Test
  @DisplayName("reports events after the final event, and a missing final event")
  void checkedSource() throws UpstreamException {
    upstream.streams(finished(), text("more")).streams(text("a"));
    try (var stream = upstream.open(call)) {
      stream.next();
      assertThat(stream.next()).isNull();
    }
    try (var stream = upstream.open(call)) {
      stream.next();
      assertThatThrownBy(stream::next).isInstanceOf(AssertionError.class);
    }
    var withoutEnd = new AssertingEventStream("test", EventStream.of(List.of()));
    assertThatThrownBy(withoutEnd::next).hasMessageContaining("before a terminal event");
    var end = new Event.Finished(StopReason.END, null, null);
    var endingTwice = new AssertingEventStream("test", EventStream.of(List.of(end, end)));
    endingTwice.next();
    assertThatThrownBy(endingTwice::next).hasMessageContaining("after the terminal event");
  }

  @Test
  @DisplayName("answers by a function of the call when its script is used up")
  void always() throws UpstreamException {
    upstream.always(
        received ->
            List.of(emit(new Event.TextDelta(Given.lastText(received.request()))), finished()));
    for (String text : List.of("one", "two")) {
      try (var stream = upstream.open(call(call.endpoint(), streaming("author/m", text)))) {
        assertThat(stream.next()).isEqualTo(new Event.TextDelta(text));
      }
    }
  }

  @Test
  @DisplayName("reports two threads that read one stream at once")
  void twoReaders() throws Exception {
    upstream.streams(pause(Duration.ofSeconds(1)), text("a"), text("b"), finished());
    try (var stream = upstream.open(call)) {
      ambient.start("first", stream::next);
      ambient.awaitSleepers(1);
      Thread second = ambient.start("second", stream::next);
      while (second.isAlive() && second.getState() != Thread.State.WAITING) {
        Thread.onSpinWait(); // it must call next() while the first thread still reads
      }
      ambient.advance(Duration.ofSeconds(1));
      ambient.assertNoThreadsLeft();
    }
    assertThatThrownBy(upstream::assertEveryStreamClosed).hasMessageContaining("while");
  }
}
