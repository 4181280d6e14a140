package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.settled;
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

@DisplayName("The insurance of an answer that was delivered in part")
class InsuranceTest {
  private static final long DELIVERED = 4_000; // 2 tokens in, 2 out

  /** Passes one event on, then does something else. */
  private static Around after(Scope where, Event last) {
    return new Around(
        "breaking",
        10,
        where,
        (request, chain) -> {
          EventStream inner = chain.proceed(request);
          return new EventStream() {
            private int given;

            @Override
            public @Nullable Event next() {
              return given++ == 0 ? inner.next() : last;
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
  @DisplayName("does not cover what a plugin refused on purpose:")
  void refusedByPlugin(Scope where) {
    var refused = new Event.Failed(GatewayError.of(ErrorCode.PERMISSION_DENIED), null);
    try (var exchange = new ScriptedEngine(null, Around.all(after(where, refused)))) {
      exchange.alpha.streams(text("12345678"), text("more"), finished());
      List<Event> events = drain(answered(exchange.serve(ask())));
      assertThat(((Event.Failed) events.getLast()).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
      assertThat(exchange.balance()).isEqualTo(settled(DELIVERED));
    }
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  @DisplayName("covers what a bug of a plugin ended:")
  void bugOfPlugin(Scope where) {
    var bug = new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null);
    try (var exchange = new ScriptedEngine(null, Around.all(after(where, bug)))) {
      exchange.alpha.streams(text("12345678"), text("more"), finished());
      drain(answered(exchange.serve(ask())));
      assertThat(exchange.balance()).isEqualTo(settled(0));
    }
  }

  /** Reads some of the answer itself, shows none of it, and breaks. */
  private static Around breaking(Scope where, boolean atOnce) {
    return new Around(
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
  @DisplayName("covers what a bug of a plugin ended before anything was shown:")
  void bugBeforeContent(Scope where, boolean atOnce) {
    try (var exchange = new ScriptedEngine(null, Around.all(breaking(where, atOnce)))) {
      exchange.alpha.streams(text("12345678"), text("more"), finished());
      Reply.Refused refused = Asking.refused(exchange.serve(ask()));
      assertThat(refused.error().code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(exchange.balance()).isEqualTo(settled(0));
    }
  }

  @Test
  @DisplayName(
      "covers a provider's failure in a turn of the tool loop, and not the turns before it")
  void toolLoop() {
    try (var exchange = new ScriptedEngine(null, Loops.with(new Loops.Clock()))) {
      exchange
          .alpha
          .streams(Loops.clock(0), usage(7, 3), Loops.calls())
          .streams(text("12345678"), failed(failure(FailureKind.UNAVAILABLE)));
      drain(answered(exchange.serve(Loops.asking())));
      assertThat(exchange.balance()).isEqualTo(settled(10_000));
      assertThat(exchange.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
    }
  }

  @Test
  @DisplayName("does not cover a turn of the tool loop that the total deadline ended")
  void toolLoopTooLate() {
    try (var exchange =
        new ScriptedEngine(null, Loops.with(new Loops.Clock())).within(Duration.ofSeconds(20))) {
      exchange
          .alpha
          .streams(Loops.clock(0), usage(7, 3), Loops.calls())
          .streams(text("12345678"), stall());
      var events = answered(exchange.serve(Loops.asking())).answer();
      List<Event> read = exchange.readWhileTimePasses(events, Duration.ofSeconds(21));
      assertThat(((Event.Failed) read.getLast()).code()).isEqualTo(ErrorCode.TIMEOUT);
      assertThat(((Event.Failed) read.getLast()).cause()).isNull();
      assertThat(exchange.balance().settled().nanos()).isGreaterThan(10_000);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Cancellation.Cause.class,
      names = {"TOTAL", "SHUTDOWN"})
  @DisplayName("does not cover what the gateway ended, which counts against no endpoint:")
  void ours(Cancellation.Cause cause) throws InterruptedException {
    try (var exchange = new ScriptedEngine()) {
      exchange.alpha.streams(text("12345678"), stall());
      var events = answered(exchange.serve(ask())).answer();
      events.next();
      var rest = new ArrayList<Event>();
      Thread reader = exchange.ambient.start("reader", () -> rest.addAll(read(events)));
      exchange.cancellation.cancel(cause);
      reader.join();
      Event.Failed failed = (Event.Failed) rest.getLast();
      assertThat(failed.cause()).as("the provider's part").isNull();
      assertThat(failed.code())
          .isEqualTo(cause == Cancellation.Cause.TOTAL ? ErrorCode.TIMEOUT : ErrorCode.UNAVAILABLE);
      assertThat(exchange.balance()).isEqualTo(settled(DELIVERED));
      events.close();
      assertThat(exchange.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      var told =
          exchange.health.healthOf(exchange.board.catalog()).published().of(exchange.at("alpha"));
      assertThat(told.failures(CountingPeriod.FIVE_MINUTES)).isZero();
    }
  }

  @Test
  @DisplayName("does not cover what a closing gateway ended, and whoever still reads is told why")
  void closing() throws InterruptedException {
    try (var exchange = new ScriptedEngine()) {
      exchange.alpha.streams(text("12345678"), stall());
      var events = answered(exchange.serve(ask())).answer();
      events.next();
      var rest = new ArrayList<Event>();
      Thread reader = exchange.ambient.start("reader", () -> rest.addAll(read(events)));
      while (reader.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      exchange.shutDown();
      reader.join();
      assertThat(((Event.Failed) rest.getLast()).error().message()).contains("shutting down");
      assertThat(exchange.balance()).isEqualTo(settled(DELIVERED));
      events.close();
    }
  }
}
