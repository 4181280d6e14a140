package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.core.pipeline.ScriptedEngine.read;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Step.failed;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.stall;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.inference.Reply;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The zero-completion insurance of an answer that was delivered in part")
class InsuranceTest {
  private static final long DELIVERED = 4_000; // 2 tokens in, 2 out

  /** Returns a plugin that passes on one event and then returns this event instead of the next. */
  private static TestInterceptor replacingRest(Scope where, Event last) {
    return new TestInterceptor(
        "breaking",
        10,
        where,
        (request, chain) -> {
          EventStream inner = chain.proceed(request);
          return new EventStream() {
            private int index;

            @Override
            public @Nullable Event next() {
              return index++ == 0 ? inner.next() : last;
            }

            @Override
            public boolean ready() {
              return inner.ready();
            }

            @Override
            public void close() {
              inner.close();
            }
          };
        });
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  @DisplayName("does not cover an answer that a plugin ended on purpose:")
  void refusedByPlugin(Scope where) {
    var refused = new Event.Failed(GatewayError.of(ErrorCode.PERMISSION_DENIED), null);
    try (var engine =
        new ScriptedEngine(null, TestInterceptor.pluginsOf(replacingRest(where, refused)))) {
      engine.alpha.streams(text("12345678"), text("more"), finished());
      List<Event> events = drain(answered(engine.serve(helloRequest())));
      assertThat(((Event.Failed) events.getLast()).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
      assertThat(engine.balance()).isEqualTo(settled(DELIVERED));
    }
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  @DisplayName("covers an answer that a bug of a plugin ended:")
  void bugOfPlugin(Scope where) {
    var bug = new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null);
    try (var engine =
        new ScriptedEngine(null, TestInterceptor.pluginsOf(replacingRest(where, bug)))) {
      engine.alpha.streams(text("12345678"), text("more"), finished());
      drain(answered(engine.serve(helloRequest())));
      assertThat(engine.balance()).isEqualTo(settled(0));
    }
  }

  /** Returns a plugin that reads a part of the answer, passes none of it on, and fails. */
  private static TestInterceptor failing(Scope where, boolean atOnce) {
    return new TestInterceptor(
        "breaking",
        10,
        where,
        (request, chain) -> {
          EventStream inner = chain.proceed(request);
          inner.next();
          if (atOnce) {
            throw new IllegalStateException("a bug of a plugin");
          }
          return new EventStream() {
            @Override
            public @Nullable Event next() {
              inner.next();
              throw new IllegalStateException("a bug of a plugin");
            }

            @Override
            public boolean ready() {
              return inner.ready();
            }

            @Override
            public void close() {
              inner.close();
            }
          };
        });
  }

  static Stream<Arguments> bugs() {
    return Stream.of(Scope.values())
        .flatMap(where -> Stream.of(Arguments.of(where, true), Arguments.of(where, false)));
  }

  @ParameterizedTest(name = "around the {0}, at once: {1}")
  @MethodSource("bugs")
  @DisplayName("covers an answer that a bug of a plugin ended before anything was shown:")
  void bugBeforeContent(Scope where, boolean atOnce) {
    try (var engine = new ScriptedEngine(null, TestInterceptor.pluginsOf(failing(where, atOnce)))) {
      engine.alpha.streams(text("12345678"), text("more"), finished());
      Reply.Refused refused = EngineCalls.refused(engine.serve(helloRequest()));
      assertThat(refused.error().code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(engine.balance()).isEqualTo(settled(0));
    }
  }

  @Test
  @DisplayName(
      "covers a provider's failure in one turn of the tool loop, but not the turns before it")
  void toolLoop() {
    try (var engine = new ScriptedEngine(null, ToolLoops.pluginsWith(new ToolLoops.ClockTool()))) {
      engine
          .alpha
          .streams(ToolLoops.clockCall(0), usage(7, 3), ToolLoops.finishedWithCalls())
          .streams(text("12345678"), failed(failure(FailureKind.UNAVAILABLE)));
      drain(answered(engine.serve(ToolLoops.clockRequest())));
      assertThat(engine.balance()).isEqualTo(settled(10_000));
      assertThat(engine.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
    }
  }

  @Test
  @DisplayName("does not cover a turn of the tool loop that the total deadline ended")
  void toolLoopTooLate() {
    try (var engine =
        new ScriptedEngine(null, ToolLoops.pluginsWith(new ToolLoops.ClockTool()))
            .withTotalTimeout(Duration.ofSeconds(20))) {
      engine
          .alpha
          .streams(ToolLoops.clockCall(0), usage(7, 3), ToolLoops.finishedWithCalls())
          .streams(text("12345678"), stall());
      var events = answered(engine.serve(ToolLoops.clockRequest())).answer();
      List<Event> read = engine.readWhileTimePasses(events, Duration.ofSeconds(21));
      assertThat(((Event.Failed) read.getLast()).code()).isEqualTo(ErrorCode.TIMEOUT);
      assertThat(((Event.Failed) read.getLast()).cause()).isNull();
      assertThat(engine.balance().settled().nanos()).isGreaterThan(10_000);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Cancellation.Cause.class,
      names = {"TOTAL", "SHUTDOWN"})
  @DisplayName("does not cover an answer that the gateway ended, which counts against no endpoint:")
  void endedByGateway(Cancellation.Cause cause) throws InterruptedException {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.streams(text("12345678"), stall());
      var events = answered(engine.serve(helloRequest())).answer();
      events.next();
      var rest = new ArrayList<Event>();
      Thread reader = engine.ambient.start("reader", () -> rest.addAll(read(events)));
      engine.cancellation.cancel(cause);
      reader.join();
      Event.Failed failed = (Event.Failed) rest.getLast();
      assertThat(failed.cause()).as("the provider's failure").isNull();
      assertThat(failed.code())
          .isEqualTo(cause == Cancellation.Cause.TOTAL ? ErrorCode.TIMEOUT : ErrorCode.UNAVAILABLE);
      assertThat(engine.balance()).isEqualTo(settled(DELIVERED));
      events.close();
      assertThat(engine.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      var statistics =
          engine
              .health
              .healthOf(engine.catalogHealth.catalog())
              .published()
              .of(engine.endpointOf("alpha"));
      assertThat(statistics.failures(CountingPeriod.FIVE_MINUTES)).isZero();
    }
  }

  @Test
  @DisplayName(
      "does not cover an answer that a closing gateway ended, and the error names that reason")
  void closing() throws InterruptedException {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.streams(text("12345678"), stall());
      var events = answered(engine.serve(helloRequest())).answer();
      events.next();
      var rest = new ArrayList<Event>();
      Thread reader = engine.ambient.start("reader", () -> rest.addAll(read(events)));
      while (reader.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      engine.shutDown();
      reader.join();
      assertThat(((Event.Failed) rest.getLast()).error().message()).contains("shutting down");
      assertThat(engine.balance()).isEqualTo(settled(DELIVERED));
      events.close();
    }
  }
}
