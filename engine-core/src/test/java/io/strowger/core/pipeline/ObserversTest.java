package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.BatchItem;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.Reply;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallSpan;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Whoever observes a call")
class ObserversTest {
  private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

  /** Throws what a library may throw. */
  enum Bug {
    EXCEPTION,
    LINKAGE,
    ASSERTION,
    STACK_OVERFLOW;

    <T> T thrown() {
      switch (this) {
        case EXCEPTION -> throw new IllegalStateException("a bug");
        case LINKAGE -> throw new NoClassDefFoundError("a bug");
        case ASSERTION -> throw new AssertionError("a bug");
        case STACK_OVERFLOW -> throw new StackOverflowError("a bug");
      }
      throw new IllegalStateException();
    }
  }

  private static CallSpan span(Bug onAttempt, @Nullable Bug onEnd) {
    return new CallSpan() {
      @Override
      public @Nullable String beginAttempt(int number, Endpoint endpoint, long atNanos) {
        return onEnd == null ? onAttempt.thrown() : null;
      }

      @Override
      public void end(CallRecord record) {
        if (onEnd != null) {
          onEnd.thrown();
        }
      }
    };
  }

  private static void isServed(ScriptedEngine engine) {
    engine.alpha.streams(text("a"), finished());
    drain(answered(engine.serve(ask())));
    assertThat(engine.records)
        .singleElement()
        .extracting(CallRecord::outcome)
        .isEqualTo(CallRecord.Outcome.COMPLETE);
    assertThat(engine.underWay()).isZero();
  }

  @Nested
  @DisplayName("and fails costs nobody an answer")
  class Failing {
    @ParameterizedTest
    @EnumSource
    @DisplayName("when it looks at the calling thread")
    void thread(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.tracer =
            new CallTracer() {
              @Override
              public @Nullable CallSpan begin(Start call) {
                return null;
              }

              @Override
              public CallTracer forCallingThread() {
                return bug.thrown();
              }
            };
        isServed(engine);
      }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("when a call begins")
    void begin(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.tracer = call -> bug.thrown();
        isServed(engine);
      }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("when it is told where a call comes from")
    void origin(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("a"), finished());
        var decodedRequest = new Inference.DecodedRequest(ask(), null, null, null, bug::thrown);
        drain(answered(engine.begin(decodedRequest).reply()));
        assertThat(engine.records).hasSize(1);
      }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("when an attempt begins")
    void attempt(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.tracer = call -> span(bug, null);
        isServed(engine);
      }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("when a call ended")
    void ended(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.tracer = call -> span(bug, bug);
        isServed(engine);
      }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("when a sink receives it, and the others receive it all the same")
    void sink(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.sink = record -> bug.thrown();
        isServed(engine);
      }
    }
  }

  @Test
  @DisplayName("learns when the caller got its first content, not what a plugin read before")
  void firstContent() {
    var engine = new ArrayList<ScriptedEngine>();
    var asksTwice =
        new Around(
            "asks-twice",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              try (EventStream first = chain.proceed(request)) {
                ScriptedEngine.read(first);
              }
              engine.getFirst().ambient.advance(Duration.ofSeconds(12));
              return chain.proceed(request);
            });
    try (var one = new ScriptedEngine(null, Around.all(asksTwice))) {
      engine.add(one);
      one.alpha.streams(text("hidden"), finished());
      one.alpha.streams(text("shown"), finished());
      drain(answered(one.serve(ask())));
      assertThat(one.records.getFirst().attempts())
          .extracting(attempt -> attempt.times().firstContentNanos())
          .containsExactly(0L, Duration.ofSeconds(12).toNanos());
      assertThat(one.records.getFirst().firstContentNanos())
          .isEqualTo(Duration.ofSeconds(12).toNanos());
    }
  }

  /** An adapter with a bug. */
  private record Broken() implements ChatProvider {
    @Override
    public EventStream open(Call call) {
      throw new IllegalStateException("a bug");
    }

    @Override
    public Json body(Call call) {
      return Json.NULL;
    }

    @Override
    public void close() {}
  }

  private static CallRecord.Ending only(ScriptedEngine engine) {
    List<CallRecord.Attempt> attempts = engine.records.getFirst().attempts();
    assertThat(attempts).hasSize(1);
    return attempts.getFirst().ending();
  }

  @Test
  @DisplayName("is told that the gateway failed, and not the provider, where an adapter has a bug")
  void adapterBug() {
    try (var engine = new ScriptedEngine()) {
      engine.alphaIs(new Broken());
      refused(engine.serve(ask()));
      assertThat(only(engine))
          .isEqualTo(
              new CallRecord.Ending(CallRecord.Outcome.ERROR, 0, null, ErrorCode.INTERNAL, null));
    }
  }

  @Test
  @DisplayName("is told what a plugin around an attempt says when it ends it")
  void pluginRefuses() {
    var refuses =
        new Around(
            "refuses",
            1,
            Scope.ATTEMPT,
            (request, chain) ->
                EventStream.of(
                    List.of(
                        new Event.Failed(
                            GatewayError.of(ErrorCode.CONTENT_POLICY_VIOLATION), null))));
    try (var engine = new ScriptedEngine(null, Around.all(refuses))) {
      refused(engine.serve(ask()));
      assertThat(only(engine).failure()).isNull();
      assertThat(only(engine).error()).isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION);
    }
  }

  @Test
  @DisplayName("is told why a provider failed")
  void providerFails() {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.refuses(failure(FailureKind.INVALID_REQUEST, 400, -1));
      refused(engine.serve(ask()));
      assertThat(only(engine).failure()).isEqualTo(FailureKind.INVALID_REQUEST);
      assertThat(only(engine).error()).isNull();
    }
  }

  @Test
  @DisplayName("learns which plugin set money aside, and not what it says of the act")
  void heldBy() {
    var pays =
        new Around(
            "pays",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              chain.hold(new Usd(1_000), "a search for the caller's secret").settle(new Usd(1_000));
              return chain.proceed(request);
            });
    try (var engine = new ScriptedEngine(null, Around.all(pays))) {
      isServed(engine);
      assertThat(engine.records.getFirst().steps())
          .filteredOn(CallRecord.Step.Held.class::isInstance)
          .extracting(step -> ((CallRecord.Step.Held) step).purpose())
          .containsExactlyInAnyOrder("pays", "attempts");
      assertThat(engine.records.getFirst().billLines())
          .as("the bill says what for")
          .extracting(CallRecord.BillLine::endpoint)
          .contains("pays: a search for the caller's secret");
    }
  }

  private static BatchItem item(boolean refused) {
    return new BatchItem() {
      @Override
      public String id() {
        return "gen-batch-1";
      }

      @Override
      public boolean claimBilling(PartialBill part) {
        return !refused;
      }

      @Override
      public boolean isRefused() {
        return refused;
      }
    };
  }

  @Test
  @DisplayName("is not told of a request of a batch that another node has taken over")
  void takenOver() {
    try (var engine = new ScriptedEngine()) {
      var ended = new ArrayList<CallRecord>();
      var begun = new ArrayList<Boolean>();
      engine.tracer =
          call -> {
            begun.add(call.isBatch());
            return new CallSpan() {
              @Override
              public @Nullable String beginAttempt(int number, Endpoint endpoint, long atNanos) {
                return null;
              }

              @Override
              public void end(CallRecord record) {
                ended.add(record);
              }
            };
          };
      for (boolean refused : new boolean[] {true, false}) {
        engine.alpha.streams(text("a"), finished());
        var decodedRequest =
            new Inference.DecodedRequest(ask(), null, null, item(refused), Inference.Origin.NONE);
        drain(answered(engine.begin(decodedRequest).reply()));
      }
      assertThat(begun).containsExactly(true, true);
      assertThat(engine.records).singleElement().extracting(CallRecord::isBatch).isEqualTo(true);
      assertThat(ended).isEqualTo(engine.records);
    }
  }

  @Test
  @DisplayName("sees the thread that handed the call over, also where another one serves it")
  void callingThread() throws InterruptedException {
    try (var engine = new ScriptedEngine()) {
      var seen = new ArrayList<Thread>();
      engine.tracer =
          new CallTracer() {
            @Override
            public @Nullable CallSpan begin(Start call) {
              throw new IllegalStateException("the other one begins");
            }

            @Override
            public CallTracer forCallingThread() {
              Thread here = Thread.currentThread();
              return call -> {
                seen.add(here);
                return null;
              };
            }
          };
      engine.alpha.streams(text("a"), finished());
      Inference.PendingCall underway =
          engine.begin(new Inference.DecodedRequest(ask(), null, null));
      engine.ambient.start("serves", () -> drain(answered(underway.reply()))).join();
      assertThat(seen).containsExactly(Thread.currentThread());
    }
  }

  /** Begins a call whose origin only the call knows. */
  private static Inference.PendingCall begin(
      ScriptedEngine engine, List<WeakReference<Object>> headers) {
    var kept = new Object();
    headers.add(new WeakReference<>(kept));
    Inference.Origin origin =
        () -> {
          assertThat(kept).isNotNull();
          return null;
        };
    return engine.begin(new Inference.DecodedRequest(ask(), null, null, null, origin));
  }

  @Test
  @DisplayName("has the headers of a request no longer than until it is served")
  void headers() {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.streams(text("a"), finished());
      var headers = new ArrayList<WeakReference<Object>>();
      Inference.PendingCall underway = begin(engine, headers);
      Reply.Answered answered = answered(underway.reply());
      long begun = System.nanoTime();
      while (headers.getFirst().get() != null && System.nanoTime() - begun < PATIENCE) {
        System.gc();
      }
      assertThat(headers.getFirst().get()).as("the headers, while it is answered").isNull();
      drain(answered);
      assertThat(underway.id()).isEqualTo(answered.id());
    }
  }
}
