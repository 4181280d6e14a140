package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.inOrder;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Asking.settled;
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
  @DisplayName("that is given up")
  class GivenUp {
    @Test
    @DisplayName("by closing its events pays what was delivered, and the upstream is cancelled")
    void closed() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("12345678"), stall());
        var reply = answered(exchange.serve(ask()));
        reply.answer().next();
        reply.answer().close();
        assertThat(exchange.balance()).isEqualTo(settled(4_000)); // 2 in, 2 out, estimated
        assertThat(exchange.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
        assertThat(exchange.alpha.calls().get(0).cancellation().isCancelled()).isTrue();
        assertThat(reply.answer().next()).isNull();
        assertThat(exchange.underWay()).isZero();
      }
    }

    @Test
    @DisplayName("after an early count pays what was delivered since, not only what was counted")
    void countedEarly() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(usage(7, 0), text("x".repeat(40)), stall());
        var reply = answered(exchange.serve(ask()));
        reply.answer().next();
        reply.answer().close();
        assertThat(exchange.balance()).isEqualTo(settled(17_000)); // 7 in, 40 bytes out
      }
    }

    @Test
    @DisplayName("while its upstream is silent ends at once, for the caller and for the money")
    void callerGone() throws InterruptedException {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("12345678"), stall());
        var reply = answered(exchange.serve(ask()));
        var events = reply.answer();
        events.next();
        Thread reader = exchange.ambient.start("reader", () -> read(events));
        exchange.cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        reader.join();
        assertThat(exchange.balance()).isEqualTo(settled(4_000));
        assertThat(exchange.generations.find(reply.id())).isNotNull();
        reply.answer().close();
        assertThat(exchange.records).hasSize(1);
        assertThat(exchange.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
        assertThat(exchange.records.get(0).error()).isEqualTo(ErrorCode.CLIENT_CLOSED_REQUEST);
        reply.answer().close();
        assertThat(exchange.records).hasSize(1);
      }
    }

    @Test
    @DisplayName("before any content asks nobody else and pays nothing")
    void beforeContent() throws InterruptedException {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.stallsInOpen();
        var thread = exchange.ambient.start("request", () -> exchange.serve(ask()));
        while (exchange.alpha.calls().isEmpty()) {
          Thread.onSpinWait();
        }
        exchange.cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        thread.join();
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
        assertThat(exchange.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
        assertThat(exchange.records.get(0).error()).isEqualTo(ErrorCode.CLIENT_CLOSED_REQUEST);
      }
    }

    @Test
    @DisplayName("by a gateway that closes is settled although nobody reads it any more")
    void shutDown() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("12345678"), stall());
        var reply = answered(exchange.serve(ask()));
        reply.answer().next();
        exchange.shutDown();
        assertThat(exchange.balance()).isEqualTo(settled(4_000));
        assertThat(exchange.underWay()).isZero();
        reply.answer().close();
      }
    }
  }

  @Nested
  @DisplayName("under deadlines")
  class Deadlines {
    @Proves("routing.fallback.next-endpoint")
    @Test
    @DisplayName("goes to the next candidate when first content does not come in time")
    void firstContent() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(started(), stall());
        exchange.beta.answers(answer("fine"));
        var reply = answered(exchange.serveWhileTimePasses(ask(), Duration.ofSeconds(60)));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@beta");
        assertThat(reply.delivery().attempts())
            .anyMatch(
                e -> e instanceof TraceEntry.Attempted a && a.failure() == FailureKind.TIMEOUT);
      }
    }

    @Test
    @DisplayName("ends with an error in the stream when the upstream falls silent after content")
    void gap() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("half"), stall());
        var reply = answered(exchange.serve(ask()));
        List<Event> events = exchange.readWhileTimePasses(reply.answer(), Duration.ofMillis(20));
        assertThat(events.getLast())
            .isInstanceOfSatisfying(
                Event.Failed.class,
                failed -> assertThat(failed.kind()).isEqualTo(FailureKind.TIMEOUT));
        reply.answer().close();
      }
    }

    @Test
    @DisplayName("is not ended because its own reader is slow")
    void slowReader() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("a"), text("b"), usage(1, 2), finished());
        var reply = answered(exchange.serve(ask()));
        reply.answer().next();
        for (int i = 0; i < 10; i++) {
          exchange.ambient.awaitSleepers(1);
          exchange.ambient.advance(Duration.ofSeconds(29));
        }
        exchange.ambient.awaitSleepers(1);
        assertThat(drain(reply).getLast()).isInstanceOf(Event.Finished.class);
      }
    }

    @Test
    @Timeout(30)
    @DisplayName("that nobody reads and nobody closes is given up when its time is over")
    void forgotten() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("12345678"), stall());
        answered(exchange.serve(ask())).answer().next();
        exchange.ambient.awaitSleepers(1);
        exchange.ambient.advance(Duration.ofMinutes(10).plusSeconds(19));
        exchange.ambient.awaitSleepers(1);
        assertThat(exchange.balance().held().nanos()).isPositive();
        exchange.ambient.advance(Duration.ofSeconds(1));
        while (exchange.underWay() > 0) { // the record is there before the watch is over
          if (exchange.ambient.sleepers() > 0) {
            exchange.ambient.advance(Duration.ofMillis(10));
          }
          Thread.onSpinWait();
        }
        assertThat(exchange.balance()).isEqualTo(settled(4_000)); // 2 tokens in, 2 out
        assertThat(exchange.records).hasSize(1);
      }
    }

    @Test
    @DisplayName("waits longer for an answer that comes whole: up to a quarter of the total")
    void whole() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(
            pause(Duration.ofSeconds(120)),
            emit(new Event.CompleteAnswer(answer("slow but fine"))));
        InferenceRequest ask = inOrder(request(MODEL, "x"), "alpha", "beta");
        var reply = answered(exchange.serveWhileTimePasses(ask, Duration.ofSeconds(120)));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@alpha");
      }
    }

    @Test
    @DisplayName(
        "goes to the next candidate when an answer that comes whole takes a quarter of the total")
    void wholeTooLate() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(stall());
        exchange.beta.answers(answer("fine"));
        InferenceRequest ask = inOrder(request(MODEL, "x"), "alpha", "beta");
        Instant began = exchange.ambient.now();
        var reply = answered(exchange.serveWhileTimePasses(ask, Duration.ofSeconds(150)));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@beta");
        assertThat(Duration.between(began, exchange.ambient.now()))
            .isLessThan(Duration.ofSeconds(151));
      }
    }

    @Proves({"error.524", "open.17"})
    @Test
    @DisplayName("ends with 524 when the whole takes too long, and starts no further attempt")
    void total() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.stallsInOpen();
        var refused = refused(exchange.serveWhileTimePasses(ask(), Duration.ofMinutes(10)));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
      }
    }
  }
}
