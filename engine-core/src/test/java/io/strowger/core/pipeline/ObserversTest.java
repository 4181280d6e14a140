package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.refused;
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

@DisplayName("An observer of calls")
class ObserversTest {
  private static final long MAX_WAIT_NANOS = Duration.ofSeconds(10).toNanos();

  /** What an observer with a bug may throw. */
  enum Bug {
    EXCEPTION,
    LINKAGE,
    ASSERTION,
    STACK_OVERFLOW;

    <T> T throwIt() {
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
        return onEnd == null ? onAttempt.throwIt() : null;
      }

      @Override
      public void end(CallRecord record) {
        if (onEnd != null) {
          onEnd.throwIt();
        }
      }
    };
  }

  private static void assertServed(ScriptedEngine engine) {
    engine.alpha.streams(text("a"), finished());
    drain(answered(engine.serve(helloRequest())));
    assertThat(engine.records)
        .singleElement()
        .extracting(CallRecord::outcome)
        .isEqualTo(CallRecord.Outcome.COMPLETE);
    assertThat(engine.callsInProgress()).isZero();
  }

  @Nested
  @DisplayName("that fails does not affect an answer")
  class Failing {
    @ParameterizedTest
    @EnumSource
    @DisplayName("when it is asked for the tracer of the calling thread")
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
                return bug.throwIt();
              }
            };
        assertServed(engine);
      }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("when a call begins")
    void begin(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.tracer = call -> bug.throwIt();
        assertServed(engine);
      }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("when the origin of a call is determined")
    void origin(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("a"), finished());
        var decodedRequest =
            new Inference.DecodedRequest(helloRequest(), null, null, null, bug::throwIt);
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
        assertServed(engine);
      }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("when a call has ended")
    void ended(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.tracer = call -> span(bug, bug);
        assertServed(engine);
      }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("when a sink receives the record, which other sinks still receive")
    void sink(Bug bug) {
      try (var engine = new ScriptedEngine()) {
        engine.sink = record -> bug.throwIt();
        assertServed(engine);
      }
    }
  }

  @Test
  @DisplayName("receives the time of the caller's first content, not of what a plugin read before")
  void firstContent() {
    var engine = new ArrayList<ScriptedEngine>();
    var asksTwice =
        new TestInterceptor(
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
    try (var one = new ScriptedEngine(null, TestInterceptor.pluginsOf(asksTwice))) {
      engine.add(one);
      one.alpha.streams(text("hidden"), finished());
      one.alpha.streams(text("shown"), finished());
      drain(answered(one.serve(helloRequest())));
      assertThat(one.records.getFirst().attempts())
          .extracting(attempt -> attempt.times().firstContentNanos())
          .containsExactly(0L, Duration.ofSeconds(12).toNanos());
      assertThat(one.records.getFirst().firstContentNanos())
          .isEqualTo(Duration.ofSeconds(12).toNanos());
    }
  }

  /** A provider with a bug. */
  private record BrokenProvider() implements ChatProvider {
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

  private static CallRecord.Ending onlyEnding(ScriptedEngine engine) {
    List<CallRecord.Attempt> attempts = engine.records.getFirst().attempts();
    assertThat(attempts).hasSize(1);
    return attempts.getFirst().ending();
  }

  @Test
  @DisplayName("receives a failure of the gateway, not of the provider, when an adapter has a bug")
  void adapterBug() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(new BrokenProvider());
      refused(engine.serve(helloRequest()));
      assertThat(onlyEnding(engine))
          .isEqualTo(
              new CallRecord.Ending(CallRecord.Outcome.ERROR, 0, null, ErrorCode.INTERNAL, null));
    }
  }

  @Test
  @DisplayName("receives the error of a plugin that ends an attempt")
  void pluginRefuses() {
    var refuses =
        new TestInterceptor(
            "refuses",
            1,
            Scope.ATTEMPT,
            (request, chain) ->
                EventStream.of(
                    List.of(
                        new Event.Failed(
                            GatewayError.of(ErrorCode.CONTENT_POLICY_VIOLATION), null))));
    try (var engine = new ScriptedEngine(null, TestInterceptor.pluginsOf(refuses))) {
      refused(engine.serve(helloRequest()));
      assertThat(onlyEnding(engine).failure()).isNull();
      assertThat(onlyEnding(engine).error()).isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION);
    }
  }

  @Test
  @DisplayName("receives the failure of a provider")
  void providerFails() {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.refuses(failure(FailureKind.INVALID_REQUEST, 400, -1));
      refused(engine.serve(helloRequest()));
      assertThat(onlyEnding(engine).failure()).isEqualTo(FailureKind.INVALID_REQUEST);
      assertThat(onlyEnding(engine).error()).isNull();
    }
  }

  @Test
  @DisplayName("receives which plugin held money, but not the purpose that the plugin gave")
  void heldBy() {
    var pays =
        new TestInterceptor(
            "pays",
            1,
            Scope.REQUEST,
            (request, chain) -> {
              chain.hold(new Usd(1_000), "a search for the caller's secret").settle(new Usd(1_000));
              return chain.proceed(request);
            });
    try (var engine = new ScriptedEngine(null, TestInterceptor.pluginsOf(pays))) {
      assertServed(engine);
      assertThat(engine.records.getFirst().steps())
          .filteredOn(CallRecord.Step.Held.class::isInstance)
          .extracting(step -> ((CallRecord.Step.Held) step).purpose())
          .containsExactlyInAnyOrder("pays", "attempts");
      assertThat(engine.records.getFirst().billLines())
          .as("the bill line has the purpose")
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
  @DisplayName("receives no record of a batch request that another node has taken over")
  void takenOver() {
    try (var engine = new ScriptedEngine()) {
      var ended = new ArrayList<CallRecord>();
      var batchFlags = new ArrayList<Boolean>();
      engine.tracer =
          call -> {
            batchFlags.add(call.isBatch());
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
            new Inference.DecodedRequest(
                helloRequest(), null, null, item(refused), Inference.Origin.NONE);
        drain(answered(engine.begin(decodedRequest).reply()));
      }
      assertThat(batchFlags).containsExactly(true, true);
      assertThat(engine.records).singleElement().extracting(CallRecord::isBatch).isEqualTo(true);
      assertThat(ended).isEqualTo(engine.records);
    }
  }

  @Test
  @DisplayName("is given the thread that began the call, even if another thread serves it")
  void callingThread() throws InterruptedException {
    try (var engine = new ScriptedEngine()) {
      var seen = new ArrayList<Thread>();
      engine.tracer =
          new CallTracer() {
            @Override
            public @Nullable CallSpan begin(Start call) {
              throw new IllegalStateException("forCallingThread() must be called first");
            }

            @Override
            public CallTracer forCallingThread() {
              Thread callingThread = Thread.currentThread();
              return call -> {
                seen.add(callingThread);
                return null;
              };
            }
          };
      engine.alpha.streams(text("a"), finished());
      Inference.PendingCall pendingCall =
          engine.begin(new Inference.DecodedRequest(helloRequest(), null, null));
      engine.ambient.start("serves", () -> drain(answered(pendingCall.reply()))).join();
      assertThat(seen).containsExactly(Thread.currentThread());
    }
  }

  /** Begins a call; only the call refers to the origin, which holds the headers. */
  private static Inference.PendingCall begin(
      ScriptedEngine engine, List<WeakReference<Object>> headers) {
    var header = new Object();
    headers.add(new WeakReference<>(header));
    Inference.Origin origin =
        () -> {
          assertThat(header).isNotNull();
          return null;
        };
    return engine.begin(new Inference.DecodedRequest(helloRequest(), null, null, null, origin));
  }

  @Test
  @DisplayName("keeps the headers of a request only until the request is served")
  void headers() {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.streams(text("a"), finished());
      var headers = new ArrayList<WeakReference<Object>>();
      Inference.PendingCall pendingCall = begin(engine, headers);
      Reply.Answered answered = answered(pendingCall.reply());
      long start = System.nanoTime();
      while (headers.getFirst().get() != null && System.nanoTime() - start < MAX_WAIT_NANOS) {
        System.gc();
      }
      assertThat(headers.getFirst().get()).as("the headers while the request is answered").isNull();
      drain(answered);
      assertThat(pendingCall.id()).isEqualTo(answered.id());
    }
  }
}
