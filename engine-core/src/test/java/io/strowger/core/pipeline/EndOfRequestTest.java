package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.inOrder;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.core.pipeline.ScriptedEngine.read;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.failed;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.pause;
import static io.strowger.tck.Step.stall;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A request for inference")
class EndOfRequestTest {
  @Nested
  @DisplayName("that is ended early")
  class GivenUp {
    @Test
    @DisplayName(
        "by closing its answer is billed for what was delivered, and the upstream is cancelled")
    void closed() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("12345678"), stall());
        var reply = answered(engine.serve(helloRequest()));
        reply.answer().next();
        reply.answer().close();
        assertThat(engine.balance()).isEqualTo(settled(4_000)); // estimated: 2 tokens in, 2 out
        assertThat(engine.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
        assertThat(engine.alpha.calls().get(0).cancellation().isCancelled()).isTrue();
        assertThat(reply.answer().next()).isNull();
        assertThat(engine.callsInProgress()).isZero();
      }
    }

    @Test
    @DisplayName("after an early usage report is billed also for what was delivered since")
    void countedEarly() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(usage(7, 0), text("x".repeat(40)), stall());
        var reply = answered(engine.serve(helloRequest()));
        reply.answer().next();
        reply.answer().close();
        assertThat(engine.balance()).isEqualTo(settled(17_000)); // 7 in, 40 bytes out
      }
    }

    @Test
    @DisplayName("by its caller while the upstream is silent is settled and recorded at once")
    void callerGone() throws InterruptedException {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("12345678"), stall());
        var reply = answered(engine.serve(helloRequest()));
        var events = reply.answer();
        events.next();
        Thread reader = engine.ambient.start("reader", () -> read(events));
        engine.cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        reader.join();
        assertThat(engine.balance()).isEqualTo(settled(4_000));
        assertThat(engine.generations.find(reply.id())).isNotNull();
        reply.answer().close();
        assertThat(engine.records).hasSize(1);
        assertThat(engine.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
        assertThat(engine.records.get(0).error()).isEqualTo(ErrorCode.CLIENT_CLOSED_REQUEST);
        reply.answer().close();
        assertThat(engine.records).hasSize(1);
      }
    }

    @Test
    @DisplayName("before any content tries no other candidate and is not billed")
    void beforeContent() throws InterruptedException {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.stallsInOpen();
        var thread = engine.ambient.start("request", () -> engine.serve(helloRequest()));
        while (engine.alpha.calls().isEmpty()) {
          Thread.onSpinWait();
        }
        engine.cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        thread.join();
        assertThat(engine.beta.calls()).isEmpty();
        assertThat(engine.balance()).isEqualTo(settled(0));
        assertThat(engine.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
        assertThat(engine.records.get(0).error()).isEqualTo(ErrorCode.CLIENT_CLOSED_REQUEST);
      }
    }

    @Test
    @DisplayName("by a closing gateway is settled although its answer is not read any more")
    void shutDown() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("12345678"), stall());
        var reply = answered(engine.serve(helloRequest()));
        reply.answer().next();
        engine.shutDown();
        assertThat(engine.balance()).isEqualTo(settled(4_000));
        assertThat(engine.callsInProgress()).isZero();
        reply.answer().close();
      }
    }
  }

  @Nested
  @DisplayName("with timeouts")
  class Deadlines {
    @Proves("routing.fallback.next-endpoint")
    @Test
    @DisplayName("goes to the next candidate when the first content does not come in time")
    void firstContent() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(started(), stall());
        engine.beta.answers(answer("fine"));
        var reply = answered(engine.serveWhileTimePasses(helloRequest(), Duration.ofSeconds(60)));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@beta");
        assertThat(reply.delivery().attempts())
            .anyMatch(
                e -> e instanceof TraceEntry.Attempted a && a.failure() == FailureKind.TIMEOUT);
      }
    }

    @Test
    @DisplayName("ends with an error in the stream when the upstream stops sending after content")
    void silentAfterContent() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("half"), stall());
        var reply = answered(engine.serve(helloRequest()));
        List<Event> events = engine.readWhileTimePasses(reply.answer(), Duration.ofMillis(20));
        assertThat(events.getLast())
            .isInstanceOfSatisfying(
                Event.Failed.class,
                failed -> assertThat(failed.kind()).isEqualTo(FailureKind.TIMEOUT));
        reply.answer().close();
      }
    }

    @Test
    @DisplayName("is not ended because the caller reads slowly")
    void slowReader() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("a"), text("b"), usage(1, 2), finished());
        var reply = answered(engine.serve(helloRequest()));
        reply.answer().next();
        for (int i = 0; i < 10; i++) {
          engine.ambient.awaitSleepers(1);
          engine.ambient.advance(Duration.ofSeconds(29));
        }
        engine.ambient.awaitSleepers(1);
        assertThat(drain(reply).getLast()).isInstanceOf(Event.Finished.class);
      }
    }

    @Test
    @Timeout(30)
    @DisplayName("whose answer is neither read nor closed is ended by the total timeout")
    void forgotten() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("12345678"), stall());
        answered(engine.serve(helloRequest())).answer().next();
        engine.ambient.awaitSleepers(1);
        engine.ambient.advance(Duration.ofMinutes(10).plusSeconds(19));
        engine.ambient.awaitSleepers(1);
        assertThat(engine.balance().held().nanos()).isPositive();
        engine.ambient.advance(Duration.ofSeconds(1));
        while (engine.callsInProgress() > 0) { // the record is written before the watch ends
          if (engine.ambient.sleepers() > 0) {
            engine.ambient.advance(Duration.ofMillis(10));
          }
          Thread.onSpinWait();
        }
        assertThat(engine.balance()).isEqualTo(settled(4_000)); // 2 tokens in, 2 out
        assertThat(engine.records).hasSize(1);
      }
    }

    @Test
    @DisplayName(
        "waits longer for an answer that is not streamed: up to a quarter of the total timeout")
    void unstreamed() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(
            pause(Duration.ofSeconds(120)),
            emit(new Event.CompleteAnswer(answer("slow but fine"))));
        InferenceRequest ask = inOrder(request(MODEL, "x"), "alpha", "beta");
        var reply = answered(engine.serveWhileTimePasses(ask, Duration.ofSeconds(120)));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@alpha");
      }
    }

    @Test
    @DisplayName(
        "goes to the next candidate when an answer that is not streamed takes a quarter of the"
            + " total timeout")
    void unstreamedTooLate() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(stall());
        engine.beta.answers(answer("fine"));
        InferenceRequest ask = inOrder(request(MODEL, "x"), "alpha", "beta");
        Instant start = engine.ambient.now();
        var reply = answered(engine.serveWhileTimePasses(ask, Duration.ofSeconds(150)));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@beta");
        assertThat(Duration.between(start, engine.ambient.now()))
            .isLessThan(Duration.ofSeconds(151));
      }
    }

    @Proves({"error.524", "open.17"})
    @Test
    @DisplayName("ends with 524 when the total timeout is over, and starts no further attempt")
    void total() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.stallsInOpen();
        var refused = refused(engine.serveWhileTimePasses(helloRequest(), Duration.ofMinutes(10)));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(engine.beta.calls()).isEmpty();
        assertThat(engine.balance()).isEqualTo(settled(0));
      }
    }
  }
}
