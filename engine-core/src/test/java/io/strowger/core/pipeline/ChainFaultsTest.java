package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.tck.Given.usage;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.stall;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.inference.Reply;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A request with faulty plugins around it")
class ChainFaultsTest {
  private static ScriptedEngine engine(TestInterceptor... plugins) {
    return new ScriptedEngine(null, TestInterceptor.pluginsOf(plugins));
  }

  private static TestInterceptor plain() {
    return new TestInterceptor(
        "plain", 1, Scope.REQUEST, (request, chain) -> chain.proceed(request));
  }

  private static boolean hasNote(CallRecord record, String plugin) {
    return record.trace().stream()
        .anyMatch(e -> e instanceof TraceEntry.Note note && note.source().equals(plugin));
  }

  private static void assertNothingLeft(ScriptedEngine engine) {
    assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
    assertThat(engine.records).hasSize(1);
    assertThat(engine.callsInProgress()).isZero();
  }

  /** A provider whose stream has one word and fails to close. */
  private record UnclosableProvider() implements ChatProvider {
    @Override
    public EventStream open(Call call) {
      EventStream events =
          EventStream.of(
              List.of(new Event.TextDelta("a"), new Event.Finished(StopReason.END, null, null)));
      return new EventStream() {
        @Override
        public @Nullable Event next() {
          return events.next();
        }

        @Override
        public boolean ready() {
          return true;
        }

        @Override
        public void close() {
          throw new IllegalStateException("a bug of an adapter");
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

  @Nested
  @DisplayName("when its answer is over")
  class Over {
    @Test
    @DisplayName("calls no upstream and holds no money for what a plugin begins afterwards")
    void late() {
      var keptChain = new AtomicReference<Chain>();
      var keeps =
          new TestInterceptor(
              "keeps",
              1,
              Scope.REQUEST,
              (request, chain) -> {
                keptChain.set(chain);
                return chain.proceed(request);
              });
      try (var engine = engine(keeps)) {
        engine.alpha.streams(text("a"), finished());
        drain(answered(engine.serve(helloRequest())));
        Usd paid = engine.balance().settled();
        Chain chain = Objects.requireNonNull(keptChain.get());
        try (EventStream stream = chain.proceed(helloRequest())) {
          assertThat(stream.next()).isInstanceOf(Event.Failed.class);
        }
        chain.hold(new Usd(5), "too late");
        assertThat(engine.alpha.calls()).hasSize(1);
        assertThat(engine.balance()).isEqualTo(settled(paid.nanos()));
        assertNothingLeft(engine);
      }
    }

    @Test
    @DisplayName("is billed and recorded although the upstream's stream fails to close")
    void unclosable() {
      try (var engine = engine(plain())) {
        engine.replaceAlpha(new UnclosableProvider());
        Reply.Answered reply = answered(engine.serve(helloRequest()));
        reply.answer().next();
        reply.answer().close();
        assertNothingLeft(engine);
      }
    }

    @Test
    @DisplayName(
        "reports what a plugin paid and the usage that it reports when no provider was called")
    void paidWithoutTurn() {
      var memory =
          new TestInterceptor(
              "memory",
              1,
              Scope.REQUEST,
              (request, chain) -> {
                chain.hold(new Usd(9_000), "a lookup").settle(new Usd(7_000));
                return EventStream.of(
                    List.of(
                        new Event.TextDelta("known"),
                        new Event.Finished(StopReason.END, null, null)));
              });
      try (var engine = engine(memory)) {
        Reply.Answered reply = answered(engine.serve(helloRequest()));
        drain(reply);
        assertThat(Objects.requireNonNull(reply.answer().bill()).total()).isEqualTo(new Usd(7_000));
        assertThat(engine.records.getFirst().cost()).isEqualTo(new Usd(7_000));
        assertThat(engine.balance()).isEqualTo(settled(7_000));
      }
    }

    @Test
    @DisplayName("keeps the usage that a plugin reports without calling a provider or paying")
    void usageOfItsOwn() {
      var report = new Event.UsageReport(usage(3, 4), null);
      var memory =
          new TestInterceptor(
              "memory",
              1,
              Scope.REQUEST,
              (request, chain) ->
                  EventStream.of(
                      List.of(
                          new Event.TextDelta("known"),
                          report,
                          new Event.Finished(StopReason.END, null, null))));
      try (var engine = engine(memory)) {
        assertThat(drain(answered(engine.serve(helloRequest()))).get(1)).isEqualTo(report);
      }
    }
  }

  @Nested
  @DisplayName("when a plugin around an attempt")
  class Attempts {
    @Test
    @DisplayName("fails after it called the chain, closes the stream that the chain opened")
    void throwsBehind() {
      var broken =
          new TestInterceptor(
              "broken",
              1,
              Scope.ATTEMPT,
              (request, chain) -> {
                chain.proceed(request);
                throw new IllegalStateException("afterwards");
              });
      try (var engine = engine(broken)) {
        engine.alpha.streams(text("a"), stall());
        assertThat(refused(engine.serve(helloRequest())).error().code())
            .isEqualTo(ErrorCode.INTERNAL);
        assertThat(hasNote(engine.records.getFirst(), "broken")).isTrue();
        assertNothingLeft(engine);
      }
    }

    @Test
    @DisplayName("answers by itself, closes the stream that the plugin opened and did not close")
    void forgets() {
      var own =
          new TestInterceptor(
              "own",
              1,
              Scope.ATTEMPT,
              (request, chain) -> {
                chain.proceed(request);
                return EventStream.of(
                    List.of(
                        new Event.TextDelta("mine"),
                        new Event.Finished(StopReason.END, null, null)));
              });
      try (var engine = engine(own)) {
        engine.alpha.streams(text("a"), stall());
        drain(answered(engine.serve(helloRequest())));
        assertNothingLeft(engine);
      }
    }

    @Test
    @DisplayName(
        "refuses, is refused with the plugin's error; no other endpoint is tried and none is"
            + " blamed")
    void refuses() {
      var strict =
          new TestInterceptor(
              "strict",
              1,
              Scope.ATTEMPT,
              (request, chain) -> {
                throw GatewayError.of(ErrorCode.PAYMENT_REQUIRED, "no money for this")
                    .toException();
              });
      try (var engine = engine(strict)) {
        GatewayError error = refused(engine.serve(helloRequest())).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
        assertThat(error.message()).isEqualTo("no money for this");
        assertThat(engine.records.getFirst().billLines()).hasSize(1);
        var statistics = engine.health.healthOf(engine.catalogHealth.catalog()).published();
        assertThat(statistics.of(engine.endpointOf("alpha")).requests(CountingPeriod.FIVE_MINUTES))
            .isZero();
        assertNothingLeft(engine);
      }
    }
  }

  @Test
  @DisplayName(
      "is refused with 500 and names in its trace a plugin that was built for another version")
  void wrongVersion() {
    var old =
        new TestInterceptor(
            "old",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              EventStream inner = chain.proceed(request);
              return new EventStream() {
                @Override
                public @Nullable Event next() {
                  throw new NoSuchMethodError("gone");
                }

                @Override
                public boolean ready() {
                  throw new NoSuchMethodError("gone too");
                }

                @Override
                public void close() {
                  inner.close();
                }
              };
            });
    try (var engine = engine(old)) {
      engine.alpha.streams(text("a"), stall());
      assertThat(refused(engine.serve(helloRequest())).error().code())
          .isEqualTo(ErrorCode.INTERNAL);
      assertThat(hasNote(engine.records.getFirst(), "old")).isTrue();
      assertNothingLeft(engine);
    }
  }

  @Test
  @Timeout(60)
  @DisplayName(
      "keeps the deadlines of each of several concurrent inner calls, also behind another plugin")
  void innerDeadlines() {
    List<InnerCall.Result> results = Collections.synchronizedList(new ArrayList<>());
    var fan =
        new TestInterceptor(
            "fan",
            0,
            Scope.REQUEST,
            (request, chain) -> {
              var call = new InnerCall("one of three", request);
              results.addAll(chain.callAll(List.of(call, call, call), chain.remaining()));
              return chain.proceed(request);
            });
    try (var engine = engine(fan, plain())) {
      engine.alpha.stallsInOpen().stallsInOpen().stallsInOpen();
      engine.alpha.always(call -> List.of(text("in time"), finished()));
      engine.beta.always(call -> List.of(text("in time"), finished()));
      engine.gamma.always(call -> List.of(text("in time"), finished()));
      drain(answered(engine.serveWhileTimePasses(helloRequest(), Duration.ofMillis(10))));
      assertThat(results).hasSize(3).allSatisfy(one -> assertThat(one.failure()).isNull());
      assertThat(engine.records.getFirst().trace())
          .filteredOn(e -> e instanceof TraceEntry.Attempted a && a.failure() != null)
          .allSatisfy(
              e -> assertThat(((TraceEntry.Attempted) e).failure()).isEqualTo(FailureKind.TIMEOUT));
      assertNothingLeft(engine);
    }
  }

  @Test
  @DisplayName(
      "names in its trace the plugin that failed in an inner call, whose result has no answer")
  void failsInside() {
    var results = new ArrayList<InnerCall.Result>();
    var fan =
        new TestInterceptor(
            "fan",
            0,
            Scope.REQUEST,
            (request, chain) -> {
              results.addAll(
                  chain.callAll(List.of(new InnerCall("one", request)), chain.remaining()));
              return EventStream.of(List.of(new Event.Finished(StopReason.END, null, null)));
            });
    var broken =
        new TestInterceptor(
            "broken",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              throw new IllegalStateException("inside");
            });
    try (var engine = engine(fan, broken)) {
      drain(answered(engine.serve(helloRequest())));
      assertThat(results.getFirst().answer()).isNull();
      assertThat(hasNote(engine.records.getFirst(), "broken")).isTrue();
    }
  }
}
