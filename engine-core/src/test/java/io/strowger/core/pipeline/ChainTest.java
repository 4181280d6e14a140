package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Asking.settled;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.inference.Reply;
import io.strowger.core.overload.OutgoingCallLimiter;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A request with plugins around it")
class ChainTest {
  private final List<String> seen = new ArrayList<>();

  private ScriptedEngine exchange(Around... plugins) {
    return exchange(null, plugins);
  }

  private ScriptedEngine exchange(@Nullable String limit, Around... plugins) {
    return new ScriptedEngine(limit, Around.all(plugins));
  }

  private Around tells(String id, int at, Scope where) {
    return new Around(
        id,
        at,
        where,
        (request, chain) -> {
          seen.add(id + chain.endpoint().map(endpoint -> " at " + endpoint.tag()).orElse(""));
          return chain.proceed(request);
        });
  }

  private static String note(CallRecord record, String plugin) {
    return record.trace().stream()
        .filter(e -> e instanceof TraceEntry.Note note && note.source().equals(plugin))
        .map(e -> ((TraceEntry.Note) e).text())
        .findFirst()
        .orElse("");
  }

  @Proves({"plugins.common.once", "open.58"})
  @Test
  @DisplayName("passes them by position, then id; those around an attempt once for each")
  void order() {
    try (var exchange =
        exchange(
            tells("inner", 600, Scope.REQUEST),
            tells("b-outer", 100, Scope.REQUEST),
            tells("a-outer", 100, Scope.REQUEST),
            tells("attempt", 50, Scope.ATTEMPT))) {
      exchange.alpha.refuses(failure(FailureKind.UNAVAILABLE));
      exchange.beta.streams(started(), text("fine"), usage(1, 1), finished());
      List<Event> events = drain(answered(exchange.serve(ask())));
      assertThat(seen)
          .containsExactly("a-outer", "b-outer", "inner", "attempt at alpha", "attempt at beta");
      assertThat(events)
          .extracting(event -> event.getClass().getSimpleName())
          .containsExactly("Started", "TextDelta", "UsageReport", "Finished");
      assertThat(exchange.balance()).isEqualTo(settled(200_000));
      assertThat(exchange.records).hasSize(1);
    }
  }

  @Test
  @DisplayName("is refused with its own status when no candidate delivers")
  void refusal() {
    try (var exchange = exchange(tells("one", 1, Scope.REQUEST))) {
      exchange.alpha.refuses(failure(FailureKind.INVALID_REQUEST, 400, -1));
      Reply.Refused refused = refused(exchange.serve(ask()));
      assertThat(refused.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
      assertThat(refused.delivery().attemptNumber()).isEqualTo(1);
      assertThat(exchange.balance()).isEqualTo(settled(0));
      assertThat(exchange.records).hasSize(1);
    }
  }

  @Test
  @DisplayName("ends what a plugin asks of a site when its time is over, or the request's")
  void outgoing() {
    var causes = new ArrayList<Cancellation.@Nullable Cause>();
    var engine = new AtomicReference<@Nullable ScriptedEngine>();
    var left = new AtomicReference<Interceptor.Chain.@Nullable OutgoingCall>();
    var fetches =
        new Around(
            "fetches",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              var ended = new CountDownLatch(1);
              try (var call = chain.openOutgoingCall(Duration.ofSeconds(20))) {
                call.cancellation().onCancel(ended::countDown);
                seen.add("under way " + call.remaining().toSeconds());
                TestAmbient clock = Objects.requireNonNull(engine.get()).ambient;
                clock.awaitSleep("strowger-watchdog");
                clock.advance(Duration.ofSeconds(20));
                ended.await();
                causes.add(call.cancellation().cause());
                causes.add(chain.cancellation().cause());
                assertThat(call.remaining()).isZero();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              left.set(chain.openOutgoingCall(Duration.ofDays(1000)));
              return chain.proceed(request);
            });
    try (var exchange = exchange(fetches)) {
      exchange.alpha.streams(text("a"), usage(1, 1), finished());
      engine.set(exchange);
      drain(answered(exchange.serve(ask())));
      assertThat(seen).containsExactly("under way 20");
      assertThat(causes).containsExactly(Cancellation.Cause.TOTAL, null);
      assertThat(Objects.requireNonNull(left.get()).cancellation().isCancelled()).isTrue();
      assertThat(Objects.requireNonNull(left.get()).remaining()).isZero();
    }
  }

  @Test
  @DisplayName("has as many exchanges with sites under way as its key may, and no more")
  void outgoingOfKey() {
    var fetches =
        new Around(
            "fetches",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              var open = new ArrayList<Interceptor.Chain.OutgoingCall>();
              for (int i = 0; i < OutgoingCallLimiter.MAX_PER_KEY; i++) {
                open.add(chain.openOutgoingCall(Duration.ofSeconds(20)));
              }
              assertThatThrownBy(() -> chain.openOutgoingCall(Duration.ofSeconds(20)))
                  .isInstanceOf(GatewayException.class)
                  .hasMessageContaining("At most 32");
              open.getFirst().close();
              open.getFirst().close();
              chain.openOutgoingCall(Duration.ofSeconds(20));
              chain.openOutgoingCall(Duration.ofSeconds(20));
              return chain.proceed(request);
            });
    try (var exchange = exchange(fetches)) {
      exchange.alpha.refuses(failure(FailureKind.INVALID_REQUEST, 400, -1));
      assertThat(refused(exchange.serve(ask())).error().code())
          .isEqualTo(ErrorCode.RATE_LIMIT_EXCEEDED);
      // what the request left open is over with it
      assertThat(refused(exchange.serve(ask())).error().code())
          .isEqualTo(ErrorCode.RATE_LIMIT_EXCEEDED);
    }
  }

  @Nested
  @DisplayName("when a plugin changes it")
  class Changes {
    @Test
    @DisplayName(
        "goes on changed, which is noted, and the attempt machine sees what was changed last")
    void request() {
      var shorter =
          new Around(
              "shorter",
              1,
              Scope.ATTEMPT,
              (request, chain) -> chain.proceed(request.toBuilder().maxOutputTokens(7).build()));
      try (var exchange = exchange(shorter)) {
        exchange.alpha.streams(text("x"), finished());
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.alpha.calls().getFirst().request().maxOutputTokens()).isEqualTo(7);
        assertThat(note(exchange.records.getFirst(), "shorter")).contains("another request");
      }
    }

    @Test
    @DisplayName("is answered by the plugin itself without any provider, for nothing")
    void answer() {
      var cached =
          new Around(
              "cached",
              1,
              Scope.REQUEST,
              (request, chain) ->
                  EventStream.of(
                      List.of(
                          new Event.TextDelta("from memory"),
                          new Event.Finished(StopReason.END, null, null))));
      try (var exchange = exchange(cached)) {
        Reply.Answered reply = answered(exchange.serve(ask()));
        assertThat(drain(reply)).hasSize(2);
        assertThat(exchange.records.getFirst().cost()).isEqualTo(Usd.ZERO);
        assertThat(exchange.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
      }
    }

    @Test
    @DisplayName("pays for every time a plugin goes on, and keeps no turn open that it forgot")
    void twice() {
      var twice =
          new Around(
              "twice",
              1,
              Scope.REQUEST,
              (request, chain) -> {
                chain.proceed(request); // and forgets it
                return chain.proceed(request);
              });
      try (var exchange = exchange(twice)) {
        exchange
            .alpha
            .streams(text("12345678"), text("never read"), finished())
            .streams(text("b"), usage(2, 2), finished());
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.records.getFirst().billLines()).hasSize(2);
        assertThat(exchange.balance().held()).isEqualTo(Usd.ZERO);
        assertThat(exchange.balance().settled()).isEqualTo(exchange.records.getFirst().cost());
      }
    }
  }

  @Nested
  @DisplayName("when a plugin fails")
  class Failing {
    @Test
    @DisplayName("gets 500, and the plugin is named in the trace, not in the answer")
    void throwing() {
      for (Scope where : Scope.values()) {
        var broken =
            new Around(
                "broken",
                1,
                where,
                (request, chain) -> {
                  throw new IllegalStateException("secret inner matter");
                });
        try (var exchange = exchange(broken)) {
          Reply.Refused refused = refused(exchange.serve(ask()));
          assertThat(refused.error().code()).isEqualTo(ErrorCode.INTERNAL);
          assertThat(refused.error().toString()).doesNotContain("secret");
          assertThat(note(exchange.records.getFirst(), "broken")).isEqualTo("failed");
          assertThat(exchange.balance().held()).isEqualTo(Usd.ZERO);
        }
      }
    }

    @Test
    @DisplayName("by giving no stream, is named, and what it went on with is closed and paid")
    @SuppressWarnings("NullAway") // what it does against its promise
    void giving() {
      for (Scope where : Scope.values()) {
        var empty =
            new Around(
                "empty",
                1,
                where,
                (request, chain) -> {
                  chain.proceed(request);
                  return null;
                });
        try (var exchange = exchange(empty)) {
          exchange.alpha.streams(text("a"), usage(10, 1), finished());
          Reply.Refused refused = refused(exchange.serve(ask()));
          assertThat(refused.error().code()).isEqualTo(ErrorCode.INTERNAL);
          assertThat(note(exchange.records.getFirst(), "empty")).isEqualTo("failed");
          assertThat(exchange.balance().held()).isEqualTo(Usd.ZERO);
          assertThat(exchange.balance().settled())
              .isEqualTo(Objects.requireNonNullElse(exchange.records.getFirst().cost(), Usd.ZERO));
        }
      }
    }

    @Test
    @DisplayName("in the middle of a stream, ends it in an error and closes the turn")
    void midStream() {
      var broken =
          new Around(
              "broken",
              1,
              Scope.REQUEST,
              (request, chain) -> {
                EventStream inner = chain.proceed(request);
                return new EventStream() {
                  private int given;

                  @Override
                  public @Nullable Event next() {
                    if (given++ == 1) {
                      throw new IllegalStateException("no more");
                    }
                    return inner.next();
                  }

                  @Override
                  public boolean ready() {
                    return inner.ready();
                  }

                  @Override
                  public void close() {}
                };
              });
      try (var exchange = exchange(broken)) {
        exchange.alpha.streams(text("a"), text("b"), finished());
        List<Event> events = drain(answered(exchange.serve(ask())));
        assertThat(((Event.Failed) events.getLast()).code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(exchange.balance().held()).isEqualTo(Usd.ZERO);
      }
    }

    @Test
    @DisplayName("to end its stream, it is ended for it")
    void endless() {
      var silent =
          new Around(
              "silent",
              1,
              Scope.REQUEST,
              (request, chain) -> EventStream.of(List.of(new Event.TextDelta("half"))));
      try (var exchange = exchange(silent)) {
        List<Event> events = drain(answered(exchange.serve(ask())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
        assertThat(note(exchange.records.getFirst(), "silent"))
            .contains("ended without an ending event");
      }
    }

    @Test
    @DisplayName("by going on twice around an attempt, it is told that it cannot")
    void twiceAround() {
      var greedy =
          new Around(
              "greedy",
              1,
              Scope.ATTEMPT,
              (request, chain) -> {
                chain.proceed(request).close();
                return chain.proceed(request);
              });
      try (var exchange = exchange(greedy)) {
        exchange.alpha.streams(text("a"), finished());
        assertThat(refused(exchange.serve(ask())).error().code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(exchange.alpha.calls()).hasSize(1);
      }
    }
  }

  @Test
  @DisplayName("holds money for a paid action of a plugin, and bills what it settled")
  void paidAct() {
    var search =
        new Around(
            "search",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              Hold hold = chain.hold(new Usd(9_000), "one search");
              assertThat(chain.spent()).isEqualTo(new Usd(9_000));
              assertThatThrownBy(() -> hold.settle(new Usd(-1)))
                  .isInstanceOf(IllegalArgumentException.class);
              hold.settle(new Usd(7_000));
              chain.hold(new Usd(5_000), "another, never made");
              chain.hold(new Usd(1_000), "dearer than it said").settle(new Usd(1_000_000));
              assertThat(chain.spent()).isEqualTo(new Usd(13_000));
              return chain.proceed(request);
            });
    try (var exchange = exchange(search)) {
      exchange.alpha.streams(text("a"), usage(1, 1), finished());
      Reply.Answered reply = answered(exchange.serve(ask()));
      drain(reply);
      assertThat(Objects.requireNonNull(reply.answer().bill()).total()).isEqualTo(new Usd(10_000));
      assertThat(exchange.balance()).isEqualTo(settled(10_000));
      assertThat(exchange.records.getFirst().billLines())
          .anyMatch(billLine -> billLine.endpoint().equals("search: one search"));
    }
  }
}
