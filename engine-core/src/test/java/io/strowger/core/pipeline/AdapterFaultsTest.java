package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.inOrder;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Given.usage;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An adapter that does not keep to the letter")
class AdapterFaultsTest {
  /** Gives its events, then nothing until it is cancelled, and then what it makes of that. */
  private record Stalling(List<Event> events, @Nullable Event last) implements ChatProvider {
    @Override
    public EventStream open(Call call) {
      var left = new ArrayDeque<>(events);
      var cancelled = new CountDownLatch(1);
      call.cancellation().onCancel(cancelled::countDown);
      return new EventStream() {
        @Override
        public @Nullable Event next() {
          Event event = left.poll();
          if (event != null) {
            return event;
          }
          try {
            cancelled.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return last;
        }

        @Override
        public boolean ready() {
          return !left.isEmpty();
        }

        @Override
        public void close() {
          cancelled.countDown();
        }
      };
    }

    @Override
    public Json body(Call call) {
      return Json.NULL;
    }

    @Override
    public void close() {}
  }

  /** Cannot say what it would send. */
  private record Speechless() implements ChatProvider {
    @Override
    public EventStream open(Call call) {
      throw new AssertionError("is not asked");
    }

    @Override
    public Json body(Call call) {
      throw new IllegalStateException("no body");
    }

    @Override
    public void close() {}
  }

  private static InferenceRequest echoing() {
    return ask().toBuilder()
        .member("debug", Json.object().put("echo_upstream_body", true).build())
        .build();
  }

  /** What a new board is told of alpha, which is done at once. */
  private static EndpointStatistics alpha(ScriptedEngine exchange) {
    var board = exchange.health.healthOf(exchange.board.catalog());
    return board.published().of(exchange.at("alpha"));
  }

  @Test
  @DisplayName("and fails to echo gives the permit of a probe back, and says nothing of health")
  void echo() {
    try (var exchange = new ScriptedEngine(null, endpoint("alpha", MODEL, "1"))) {
      exchange.breakDown(PlannedAttempt.of(exchange.at("alpha")));
      exchange.ambient.advance(Duration.ofSeconds(61));
      exchange.alphaIs(new Speechless());
      var first = refused(exchange.serve(echoing()));
      assertThat(first.error().code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(exchange.records.getLast().trace())
          .as("the attempt is told")
          .anyMatch(TraceEntry.Attempted.class::isInstance);
      exchange.alphaIs(exchange.alpha);
      exchange.alpha.streams(text("back"), finished());
      drain(answered(exchange.serve(ask())));
    }
  }

  private static Event ending(String form) {
    return form.equals("whole")
        ? new Event.CompleteAnswer(
            new Answer(
                List.of(), StopReason.ERROR, "error", usage(1, 0), Dialect.CHAT, Json.Obj.EMPTY))
        : new Event.Finished(StopReason.ERROR, "error", null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"finished", "whole"})
  @DisplayName("and ends in an error before any content is made good by the next candidate")
  void errorFirst(String form) {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaGives(new Event.Started(null), ending(form));
      exchange.beta.answers(answer("fine"));
      drain(answered(exchange.serve(inOrder(request(MODEL, "x"), "alpha", "beta"))));
      assertThat(exchange.beta.calls()).hasSize(1);
      assertThat(alpha(exchange).failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    }
  }

  private static @Nullable Event end(String form) {
    return form.equals("silent") ? null : Event.Failed.upstream(failure(FailureKind.CANCELLED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"silent", "cancelled"})
  @DisplayName("and takes a late first content for a lost caller goes on to the next candidate")
  void late(String form) {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new Stalling(List.of(new Event.Started(null)), end(form)));
      exchange.beta.streams(text("fine"), finished());
      drain(answered(exchange.serveWhileTimePasses(ask(), Duration.ofSeconds(60))));
      assertThat(exchange.records.getLast().trace())
          .filteredOn(TraceEntry.Attempted.class::isInstance)
          .first()
          .extracting(entry -> ((TraceEntry.Attempted) entry).failure())
          .isEqualTo(FailureKind.TIMEOUT);
      assertThat(alpha(exchange).failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("and falls silent in the middle, and then for good, timed out")
  void gap() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alphaIs(new Stalling(List.of(new Event.TextDelta("half")), null));
      var reply = answered(exchange.serve(ask()));
      var events = exchange.readWhileTimePasses(reply.answer(), Duration.ofSeconds(30));
      reply.answer().close();
      assertThat(events.getLast())
          .isInstanceOfSatisfying(
              Event.Failed.class,
              failed -> assertThat(failed.kind()).isEqualTo(FailureKind.TIMEOUT));
      assertThat(exchange.records.getLast().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      assertThat(alpha(exchange).failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("is not asked for a model again that refused the request under another name")
  void listedTwice() {
    try (var exchange =
        new ScriptedEngine(null, endpoint("alpha", MODEL, "1"), endpoint("beta", MODEL, "1"))) {
      exchange.alpha.alwaysRefuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
      exchange.beta.alwaysRefuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
      InferenceRequest twice =
          request(MODEL, "x").toBuilder()
              .models(List.of(ModelRef.parse(MODEL), ModelRef.parse(MODEL + ":nitro")))
              .build();
      assertThat(refused(exchange.serve(twice)).error().code())
          .isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION);
      assertThat(exchange.alpha.calls().size() + exchange.beta.calls().size()).isEqualTo(1);
    }
  }
}
