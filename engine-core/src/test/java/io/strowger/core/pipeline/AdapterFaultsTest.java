package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.inOrder;
import static io.strowger.core.pipeline.EngineCalls.refused;
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

@DisplayName("An adapter that breaks its contract")
class AdapterFaultsTest {
  /**
   * A provider whose stream returns its events, then blocks until it is cancelled, and then returns
   * the last event.
   */
  private record StallingProvider(List<Event> events, @Nullable Event last)
      implements ChatProvider {
    @Override
    public EventStream open(Call call) {
      var remaining = new ArrayDeque<>(events);
      var cancelled = new CountDownLatch(1);
      call.cancellation().onCancel(cancelled::countDown);
      return new EventStream() {
        @Override
        public @Nullable Event next() {
          Event event = remaining.poll();
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
          return !remaining.isEmpty();
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

  /** A provider that cannot return the body it would send. */
  private record BodylessProvider() implements ChatProvider {
    @Override
    public EventStream open(Call call) {
      throw new AssertionError("must not be opened");
    }

    @Override
    public Json body(Call call) {
      throw new IllegalStateException("no body");
    }

    @Override
    public void close() {}
  }

  private static InferenceRequest echoRequest() {
    return helloRequest().toBuilder()
        .member("debug", Json.object().put("echo_upstream_body", true).build())
        .build();
  }

  /** Returns the published statistics of alpha. */
  private static EndpointStatistics alphaStatistics(ScriptedEngine engine) {
    var catalogHealth = engine.health.healthOf(engine.catalogHealth.catalog());
    return catalogHealth.published().of(engine.endpointOf("alpha"));
  }

  @Test
  @DisplayName(
      "and fails to echo the body returns the permit of a probe and does not count in the health")
  void echo() {
    try (var engine = new ScriptedEngine(null, endpoint("alpha", MODEL, "1"))) {
      engine.openBreaker(PlannedAttempt.of(engine.endpointOf("alpha")));
      engine.ambient.advance(Duration.ofSeconds(61));
      engine.replaceAlpha(new BodylessProvider());
      var first = refused(engine.serve(echoRequest()));
      assertThat(first.error().code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(engine.records.getLast().trace())
          .as("the attempt is in the trace")
          .anyMatch(TraceEntry.Attempted.class::isInstance);
      engine.replaceAlpha(engine.alpha);
      engine.alpha.streams(text("back"), finished());
      drain(answered(engine.serve(helloRequest())));
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
  @DisplayName("and ends in an error before any content is replaced by the next candidate")
  void errorFirst(String form) {
    try (var engine = new ScriptedEngine()) {
      engine.alphaReturns(new Event.Started(null), ending(form));
      engine.beta.answers(answer("fine"));
      drain(answered(engine.serve(inOrder(request(MODEL, "x"), "alpha", "beta"))));
      assertThat(engine.beta.calls()).hasSize(1);
      assertThat(alphaStatistics(engine).failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    }
  }

  private static @Nullable Event end(String form) {
    return form.equals("silent") ? null : Event.Failed.upstream(failure(FailureKind.CANCELLED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"silent", "cancelled"})
  @DisplayName(
      "and ends as cancelled, or silently, at the timeout of the first content is replaced by the"
          + " next candidate")
  void late(String form) {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new StallingProvider(List.of(new Event.Started(null)), end(form)));
      engine.beta.streams(text("fine"), finished());
      drain(answered(engine.serveWhileTimePasses(helloRequest(), Duration.ofSeconds(60))));
      assertThat(engine.records.getLast().trace())
          .filteredOn(TraceEntry.Attempted.class::isInstance)
          .first()
          .extracting(entry -> ((TraceEntry.Attempted) entry).failure())
          .isEqualTo(FailureKind.TIMEOUT);
      assertThat(alphaStatistics(engine).failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("and stops sending in the middle of its stream is timed out")
  void gap() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new StallingProvider(List.of(new Event.TextDelta("half")), null));
      var reply = answered(engine.serve(helloRequest()));
      var events = engine.readWhileTimePasses(reply.answer(), Duration.ofSeconds(30));
      reply.answer().close();
      assertThat(events.getLast())
          .isInstanceOfSatisfying(
              Event.Failed.class,
              failed -> assertThat(failed.kind()).isEqualTo(FailureKind.TIMEOUT));
      assertThat(engine.records.getLast().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      assertThat(alphaStatistics(engine).failures(CountingPeriod.FIVE_MINUTES)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("is not called again, under another name, for a model that refused the request")
  void listedTwice() {
    try (var engine =
        new ScriptedEngine(null, endpoint("alpha", MODEL, "1"), endpoint("beta", MODEL, "1"))) {
      engine.alpha.alwaysRefuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
      engine.beta.alwaysRefuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
      InferenceRequest twice =
          request(MODEL, "x").toBuilder()
              .models(List.of(ModelRef.parse(MODEL), ModelRef.parse(MODEL + ":nitro")))
              .build();
      assertThat(refused(engine.serve(twice)).error().code())
          .isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION);
      assertThat(engine.alpha.calls().size() + engine.beta.calls().size()).isEqualTo(1);
    }
  }
}
