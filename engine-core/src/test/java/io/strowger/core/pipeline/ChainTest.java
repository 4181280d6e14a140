package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.EngineCalls.settled;
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
  private final List<String> visited = new ArrayList<>();

  private ScriptedEngine engine(TestInterceptor... plugins) {
    return engine(null, plugins);
  }

  private ScriptedEngine engine(@Nullable String limit, TestInterceptor... plugins) {
    return new ScriptedEngine(limit, TestInterceptor.pluginsOf(plugins));
  }

  private TestInterceptor recording(String id, int at, Scope where) {
    return new TestInterceptor(
        id,
        at,
        where,
        (request, chain) -> {
          visited.add(id + chain.endpoint().map(endpoint -> " at " + endpoint.tag()).orElse(""));
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
  @DisplayName(
      "passes them in the order of position, then id; those around an attempt once for each"
          + " attempt")
  void order() {
    try (var engine =
        engine(
            recording("inner", 600, Scope.REQUEST),
            recording("b-outer", 100, Scope.REQUEST),
            recording("a-outer", 100, Scope.REQUEST),
            recording("attempt", 50, Scope.ATTEMPT))) {
      engine.alpha.refuses(failure(FailureKind.UNAVAILABLE));
      engine.beta.streams(started(), text("fine"), usage(1, 1), finished());
      List<Event> events = drain(answered(engine.serve(helloRequest())));
      assertThat(visited)
          .containsExactly("a-outer", "b-outer", "inner", "attempt at alpha", "attempt at beta");
      assertThat(events)
          .extracting(event -> event.getClass().getSimpleName())
          .containsExactly("Started", "TextDelta", "UsageReport", "Finished");
      assertThat(engine.balance()).isEqualTo(settled(200_000));
      assertThat(engine.records).hasSize(1);
    }
  }

  @Test
  @DisplayName("is refused with the upstream's status when no candidate delivers")
  void refusal() {
    try (var engine = engine(recording("one", 1, Scope.REQUEST))) {
      engine.alpha.refuses(failure(FailureKind.INVALID_REQUEST, 400, -1));
      Reply.Refused refused = refused(engine.serve(helloRequest()));
      assertThat(refused.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
      assertThat(refused.delivery().attemptNumber()).isEqualTo(1);
      assertThat(engine.balance()).isEqualTo(settled(0));
      assertThat(engine.records).hasSize(1);
    }
  }

  @Test
  @DisplayName(
      "cancels an outgoing call of a plugin when the time of that call or of the request is over")
  void outgoing() {
    var causes = new ArrayList<Cancellation.@Nullable Cause>();
    var engineReference = new AtomicReference<@Nullable ScriptedEngine>();
    var leftOpen = new AtomicReference<Interceptor.Chain.@Nullable OutgoingCall>();
    var fetches =
        new TestInterceptor(
            "fetches",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              var ended = new CountDownLatch(1);
              try (var call = chain.openOutgoingCall(Duration.ofSeconds(20))) {
                call.cancellation().onCancel(ended::countDown);
                visited.add("under way " + call.remaining().toSeconds());
                TestAmbient clock = Objects.requireNonNull(engineReference.get()).ambient;
                clock.awaitSleep("strowger-watchdog");
                clock.advance(Duration.ofSeconds(20));
                ended.await();
                causes.add(call.cancellation().cause());
                causes.add(chain.cancellation().cause());
                assertThat(call.remaining()).isZero();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              leftOpen.set(chain.openOutgoingCall(Duration.ofDays(1000)));
              return chain.proceed(request);
            });
    try (var engine = engine(fetches)) {
      engine.alpha.streams(text("a"), usage(1, 1), finished());
      engineReference.set(engine);
      drain(answered(engine.serve(helloRequest())));
      assertThat(visited).containsExactly("under way 20");
      assertThat(causes).containsExactly(Cancellation.Cause.TOTAL, null);
      assertThat(Objects.requireNonNull(leftOpen.get()).cancellation().isCancelled()).isTrue();
      assertThat(Objects.requireNonNull(leftOpen.get()).remaining()).isZero();
    }
  }

  @Test
  @DisplayName("has at most as many outgoing calls in progress as are allowed for its key")
  void outgoingOfKey() {
    var fetches =
        new TestInterceptor(
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
    try (var engine = engine(fetches)) {
      engine.alpha.refuses(failure(FailureKind.INVALID_REQUEST, 400, -1));
      assertThat(refused(engine.serve(helloRequest())).error().code())
          .isEqualTo(ErrorCode.RATE_LIMIT_EXCEEDED);
      // outgoing calls that a request leaves open end with it
      assertThat(refused(engine.serve(helloRequest())).error().code())
          .isEqualTo(ErrorCode.RATE_LIMIT_EXCEEDED);
    }
  }

  @Nested
  @DisplayName("when a plugin acts on it,")
  class Changes {
    @Test
    @DisplayName("continues as changed by the last plugin, with a note in the trace")
    void request() {
      var shorter =
          new TestInterceptor(
              "shorter",
              1,
              Scope.ATTEMPT,
              (request, chain) -> chain.proceed(request.toBuilder().maxOutputTokens(7).build()));
      try (var engine = engine(shorter)) {
        engine.alpha.streams(text("x"), finished());
        drain(answered(engine.serve(helloRequest())));
        assertThat(engine.alpha.calls().getFirst().request().maxOutputTokens()).isEqualTo(7);
        assertThat(note(engine.records.getFirst(), "shorter")).contains("a different request");
      }
    }

    @Test
    @DisplayName("is answered by the plugin itself without a provider, free of charge")
    void answer() {
      var cached =
          new TestInterceptor(
              "cached",
              1,
              Scope.REQUEST,
              (request, chain) ->
                  EventStream.of(
                      List.of(
                          new Event.TextDelta("from memory"),
                          new Event.Finished(StopReason.END, null, null))));
      try (var engine = engine(cached)) {
        Reply.Answered reply = answered(engine.serve(helloRequest()));
        assertThat(drain(reply)).hasSize(2);
        assertThat(engine.records.getFirst().cost()).isEqualTo(Usd.ZERO);
        assertThat(engine.records.getFirst().outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
      }
    }

    @Test
    @DisplayName(
        "is billed for every time a plugin proceeds, and no turn stays open that a plugin forgot"
            + " to close")
    void twice() {
      var twice =
          new TestInterceptor(
              "twice",
              1,
              Scope.REQUEST,
              (request, chain) -> {
                chain.proceed(request); // does not close the stream
                return chain.proceed(request);
              });
      try (var engine = engine(twice)) {
        engine
            .alpha
            .streams(text("12345678"), text("never read"), finished())
            .streams(text("b"), usage(2, 2), finished());
        drain(answered(engine.serve(helloRequest())));
        assertThat(engine.records.getFirst().billLines()).hasSize(2);
        assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
        assertThat(engine.balance().settled()).isEqualTo(engine.records.getFirst().cost());
      }
    }
  }

  @Nested
  @DisplayName("when a plugin fails")
  class Failing {
    @Test
    @DisplayName(
        "with an exception, is refused with 500, and the plugin is named in the trace, not in the"
            + " answer")
    void throwing() {
      for (Scope where : Scope.values()) {
        var broken =
            new TestInterceptor(
                "broken",
                1,
                where,
                (request, chain) -> {
                  throw new IllegalStateException("secret inner matter");
                });
        try (var engine = engine(broken)) {
          Reply.Refused refused = refused(engine.serve(helloRequest()));
          assertThat(refused.error().code()).isEqualTo(ErrorCode.INTERNAL);
          assertThat(refused.error().toString()).doesNotContain("secret");
          assertThat(note(engine.records.getFirst(), "broken")).isEqualTo("failed");
          assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
        }
      }
    }

    @Test
    @DisplayName(
        "by returning no stream, names it in the trace, and the stream it opened is closed and"
            + " paid")
    @SuppressWarnings("NullAway") // the plugin breaks its contract
    void returnsNull() {
      for (Scope where : Scope.values()) {
        var empty =
            new TestInterceptor(
                "empty",
                1,
                where,
                (request, chain) -> {
                  chain.proceed(request);
                  return null;
                });
        try (var engine = engine(empty)) {
          engine.alpha.streams(text("a"), usage(10, 1), finished());
          Reply.Refused refused = refused(engine.serve(helloRequest()));
          assertThat(refused.error().code()).isEqualTo(ErrorCode.INTERNAL);
          assertThat(note(engine.records.getFirst(), "empty")).isEqualTo("failed");
          assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
          assertThat(engine.balance().settled())
              .isEqualTo(Objects.requireNonNullElse(engine.records.getFirst().cost(), Usd.ZERO));
        }
      }
    }

    @Test
    @DisplayName("in the middle of a stream, ends the stream with an error and closes the turn")
    void midStream() {
      var broken =
          new TestInterceptor(
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
      try (var engine = engine(broken)) {
        engine.alpha.streams(text("a"), text("b"), finished());
        List<Event> events = drain(answered(engine.serve(helloRequest())));
        assertThat(((Event.Failed) events.getLast()).code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
      }
    }

    @Test
    @DisplayName("to end its stream, ends the stream with an error")
    void endless() {
      var silent =
          new TestInterceptor(
              "silent",
              1,
              Scope.REQUEST,
              (request, chain) -> EventStream.of(List.of(new Event.TextDelta("half"))));
      try (var engine = engine(silent)) {
        List<Event> events = drain(answered(engine.serve(helloRequest())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
        assertThat(note(engine.records.getFirst(), "silent"))
            .contains("ended without a terminal event");
      }
    }

    @Test
    @DisplayName("by proceeding twice around an attempt, is refused with 500")
    void twiceAround() {
      var greedy =
          new TestInterceptor(
              "greedy",
              1,
              Scope.ATTEMPT,
              (request, chain) -> {
                chain.proceed(request).close();
                return chain.proceed(request);
              });
      try (var engine = engine(greedy)) {
        engine.alpha.streams(text("a"), finished());
        assertThat(refused(engine.serve(helloRequest())).error().code())
            .isEqualTo(ErrorCode.INTERNAL);
        assertThat(engine.alpha.calls()).hasSize(1);
      }
    }
  }

  @Test
  @DisplayName(
      "holds money for a paid action of a plugin, and bills the amount that the plugin settles")
  void paidAct() {
    var search =
        new TestInterceptor(
            "search",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              Hold hold = chain.hold(new Usd(9_000), "one search");
              assertThat(chain.settledAndHeld()).isEqualTo(new Usd(9_000));
              assertThatThrownBy(() -> hold.settle(new Usd(-1)))
                  .isInstanceOf(IllegalArgumentException.class);
              hold.settle(new Usd(7_000));
              chain.hold(new Usd(5_000), "another, never made");
              chain.hold(new Usd(1_000), "dearer than held").settle(new Usd(1_000_000));
              assertThat(chain.settledAndHeld()).isEqualTo(new Usd(13_000));
              return chain.proceed(request);
            });
    try (var engine = engine(search)) {
      engine.alpha.streams(text("a"), usage(1, 1), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      drain(reply);
      assertThat(Objects.requireNonNull(reply.answer().bill()).total()).isEqualTo(new Usd(10_000));
      assertThat(engine.balance()).isEqualTo(settled(10_000));
      assertThat(engine.records.getFirst().billLines())
          .anyMatch(billLine -> billLine.endpoint().equals("search: one search"));
    }
  }
}
