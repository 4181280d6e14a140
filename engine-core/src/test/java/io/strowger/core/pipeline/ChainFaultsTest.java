package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Asking.settled;
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

@DisplayName("A request with plugins around it, whatever they do,")
class ChainFaultsTest {
  private static ScriptedEngine exchange(Around... plugins) {
    return new ScriptedEngine(null, Around.all(plugins));
  }

  private static Around plain() {
    return new Around("plain", 1, Scope.REQUEST, (request, chain) -> chain.proceed(request));
  }

  private static boolean notes(CallRecord record, String plugin) {
    return record.trace().stream()
        .anyMatch(e -> e instanceof TraceEntry.Note note && note.source().equals(plugin));
  }

  private static void assertNothingLeft(ScriptedEngine exchange) {
    assertThat(exchange.balance().held()).isEqualTo(Usd.ZERO);
    assertThat(exchange.records).hasSize(1);
    assertThat(exchange.underWay()).isZero();
  }

  /** Says one word; fails to close. */
  private record Unclosable() implements ChatProvider {
    @Override
    public EventStream open(Call call) {
      EventStream said =
          EventStream.of(
              List.of(new Event.TextDelta("a"), new Event.Finished(StopReason.END, null, null)));
      return new EventStream() {
        @Override
        public @Nullable Event next() {
          return said.next();
        }

        @Override
        public boolean ready() {
          return true;
        }

        @Override
        public void close() {
          throw new IllegalStateException("an adapter's own bug");
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
    @DisplayName("asks nobody and holds no money for what a plugin still begins")
    void late() {
      var kept = new AtomicReference<Chain>();
      var keeps =
          new Around(
              "keeps",
              1,
              Scope.REQUEST,
              (request, chain) -> {
                kept.set(chain);
                return chain.proceed(request);
              });
      try (var exchange = exchange(keeps)) {
        exchange.alpha.streams(text("a"), finished());
        drain(answered(exchange.serve(ask())));
        Usd paid = exchange.balance().settled();
        Chain chain = Objects.requireNonNull(kept.get());
        try (EventStream stream = chain.proceed(ask())) {
          assertThat(stream.next()).isInstanceOf(Event.Failed.class);
        }
        chain.hold(new Usd(5), "too late");
        assertThat(exchange.alpha.calls()).hasSize(1);
        assertThat(exchange.balance()).isEqualTo(settled(paid.nanos()));
        assertNothingLeft(exchange);
      }
    }

    @Test
    @DisplayName("is accounted for although the upstream's stream fails to close")
    void unclosable() {
      try (var exchange = exchange(plain())) {
        exchange.alphaIs(new Unclosable());
        Reply.Answered reply = answered(exchange.serve(ask()));
        reply.answer().next();
        reply.answer().close();
        assertNothingLeft(exchange);
      }
    }

    @Test
    @DisplayName("tells what a plugin paid and what it says was used, where no provider was asked")
    void paidWithoutTurn() {
      var memory =
          new Around(
              "memory",
              1,
              Scope.REQUEST,
              (request, chain) -> {
                chain.hold(new Usd(9_000), "a look").settle(new Usd(7_000));
                return EventStream.of(
                    List.of(
                        new Event.TextDelta("known"),
                        new Event.Finished(StopReason.END, null, null)));
              });
      try (var exchange = exchange(memory)) {
        Reply.Answered reply = answered(exchange.serve(ask()));
        drain(reply);
        assertThat(Objects.requireNonNull(reply.answer().bill()).total()).isEqualTo(new Usd(7_000));
        assertThat(exchange.records.getFirst().cost()).isEqualTo(new Usd(7_000));
        assertThat(exchange.balance()).isEqualTo(settled(7_000));
      }
    }

    @Test
    @DisplayName("keeps the usage a plugin gives that asked no provider and paid nothing")
    void usageOfItsOwn() {
      var report = new Event.UsageReport(usage(3, 4), null);
      var memory =
          new Around(
              "memory",
              1,
              Scope.REQUEST,
              (request, chain) ->
                  EventStream.of(
                      List.of(
                          new Event.TextDelta("known"),
                          report,
                          new Event.Finished(StopReason.END, null, null))));
      try (var exchange = exchange(memory)) {
        assertThat(drain(answered(exchange.serve(ask()))).get(1)).isEqualTo(report);
      }
    }
  }

  @Nested
  @DisplayName("when a plugin around an attempt")
  class Attempts {
    @Test
    @DisplayName("fails behind the call it made, closes what that opened")
    void throwsBehind() {
      var broken =
          new Around(
              "broken",
              1,
              Scope.ATTEMPT,
              (request, chain) -> {
                chain.proceed(request);
                throw new IllegalStateException("afterwards");
              });
      try (var exchange = exchange(broken)) {
        exchange.alpha.streams(text("a"), stall());
        assertThat(refused(exchange.serve(ask())).error().code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(notes(exchange.records.getFirst(), "broken")).isTrue();
        assertNothingLeft(exchange);
      }
    }

    @Test
    @DisplayName("answers by itself, closes what it opened and forgot")
    void forgets() {
      var own =
          new Around(
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
      try (var exchange = exchange(own)) {
        exchange.alpha.streams(text("a"), stall());
        drain(answered(exchange.serve(ask())));
        assertNothingLeft(exchange);
      }
    }

    @Test
    @DisplayName("refuses, is refused in its words: nobody else is asked and no endpoint blamed")
    void refuses() {
      var strict =
          new Around(
              "strict",
              1,
              Scope.ATTEMPT,
              (request, chain) -> {
                throw GatewayError.of(ErrorCode.PAYMENT_REQUIRED, "no money for this")
                    .toException();
              });
      try (var exchange = exchange(strict)) {
        GatewayError error = refused(exchange.serve(ask())).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
        assertThat(error.message()).isEqualTo("no money for this");
        assertThat(exchange.records.getFirst().billLines()).hasSize(1);
        var statistics = exchange.health.healthOf(exchange.board.catalog()).published();
        assertThat(statistics.of(exchange.at("alpha")).requests(CountingPeriod.FIVE_MINUTES))
            .isZero();
        assertNothingLeft(exchange);
      }
    }
  }

  @Test
  @DisplayName("gets 500 and names a plugin that was made for another version")
  void wrongVersion() {
    var old =
        new Around(
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
    try (var exchange = exchange(old)) {
      exchange.alpha.streams(text("a"), stall());
      assertThat(refused(exchange.serve(ask())).error().code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(notes(exchange.records.getFirst(), "old")).isTrue();
      assertNothingLeft(exchange);
    }
  }

  @Test
  @Timeout(60)
  @DisplayName("keeps the deadlines of each of several calls at once, also behind another plugin")
  void watched() {
    List<InnerCall.Result> results = Collections.synchronizedList(new ArrayList<>());
    var fan =
        new Around(
            "fan",
            0,
            Scope.REQUEST,
            (request, chain) -> {
              var call = new InnerCall("one of three", request);
              results.addAll(chain.callAll(List.of(call, call, call), chain.remaining()));
              return chain.proceed(request);
            });
    try (var exchange = exchange(fan, plain())) {
      exchange.alpha.stallsInOpen().stallsInOpen().stallsInOpen();
      exchange.alpha.always(call -> List.of(text("in time"), finished()));
      exchange.beta.always(call -> List.of(text("in time"), finished()));
      exchange.gamma.always(call -> List.of(text("in time"), finished()));
      drain(answered(exchange.serveWhileTimePasses(ask(), Duration.ofMillis(10))));
      assertThat(results).hasSize(3).allSatisfy(one -> assertThat(one.failure()).isNull());
      assertThat(exchange.records.getFirst().trace())
          .filteredOn(e -> e instanceof TraceEntry.Attempted a && a.failure() != null)
          .allSatisfy(
              e -> assertThat(((TraceEntry.Attempted) e).failure()).isEqualTo(FailureKind.TIMEOUT));
      assertNothingLeft(exchange);
    }
  }

  @Test
  @DisplayName("names the plugin that failed in one of several calls, whose result has no answer")
  void failsInside() {
    var results = new ArrayList<InnerCall.Result>();
    var fan =
        new Around(
            "fan",
            0,
            Scope.REQUEST,
            (request, chain) -> {
              results.addAll(
                  chain.callAll(List.of(new InnerCall("one", request)), chain.remaining()));
              return EventStream.of(List.of(new Event.Finished(StopReason.END, null, null)));
            });
    var broken =
        new Around(
            "broken",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              throw new IllegalStateException("inside");
            });
    try (var exchange = exchange(fan, broken)) {
      drain(answered(exchange.serve(ask())));
      assertThat(results.getFirst().answer()).isNull();
      assertThat(notes(exchange.records.getFirst(), "broken")).isTrue();
    }
  }
}
