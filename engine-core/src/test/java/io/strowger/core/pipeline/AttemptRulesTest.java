package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.inOrder;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.core.pipeline.ScriptedEngine.alphaByokKey;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Given.streaming;
import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.failed;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.pause;
import static io.strowger.tck.Step.stall;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.attempt.SlowStreamGuard;
import io.strowger.core.inference.Reply;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@DisplayName("The attempts of a request")
class AttemptRulesTest {
  private static InferenceRequest withoutFallbacks(String... order) {
    return request(MODEL, "x").toBuilder()
        .preferences(
            ProviderPreferences.builder().order(List.of(order)).allowFallbacks(false).build())
        .build();
  }

  private static InferenceRequest helloRequest() {
    return inOrder(streaming(MODEL, "hello"), "alpha", "beta", "gamma");
  }

  private static PlannedAttempt answeringAttempt(Reply reply) {
    return Objects.requireNonNull(reply.delivery().answeringAttempt());
  }

  private static List<TraceEntry.Skipped> skipped(ScriptedEngine engine) {
    return engine.records.getLast().trace().stream()
        .filter(TraceEntry.Skipped.class::isInstance)
        .map(TraceEntry.Skipped.class::cast)
        .toList();
  }

  @Nested
  @DisplayName("at an upstream whose stream is slow, with a guard against slow streams,")
  class SlowStreams {
    /** Returns an engine that demands four tokens a second within a window of two seconds. */
    private ScriptedEngine withGuard() {
      return new ScriptedEngine()
          .withSlowStreamGuard(new SlowStreamGuard(Duration.ofSeconds(2), 4));
    }

    @Test
    @DisplayName("are abandoned within the window, and nothing of them is shown")
    void drips() {
      try (var engine = withGuard()) {
        engine.alpha.streams(
            text("a"), pause(ofMillis(900)), text("b"), pause(ofMillis(900)), text("c"), stall());
        engine.beta.streams(text("a stream that flows at once, "), text("b"), finished());
        var reply = answered(engine.serveWhileTimePasses(helloRequest(), Duration.ofMillis(10)));
        assertThat(drain(reply))
            .filteredOn(event -> event instanceof Event.TextDelta)
            .extracting(event -> ((Event.TextDelta) event).text().text())
            .containsExactly("a stream that flows at once, ", "b");
        assertThat(engine.records.getLast().trace())
            .anyMatch(
                e -> e instanceof TraceEntry.Attempted a && a.failure() == FailureKind.TIMEOUT);
      }
    }

    @Test
    @DisplayName("continue when enough content comes in time, or when the answer is complete")
    void flows() {
      try (var engine = withGuard()) {
        engine.alpha.streams(
            text("sixteen bytes..."), pause(ofMillis(1900)), text("sixteen bytes..."), finished());
        engine.alpha.streams(text("yes"), finished());
        var slow = answered(engine.serveWhileTimePasses(helloRequest(), Duration.ofMillis(10)));
        assertThat(drain(slow)).hasSize(4);
        assertThat(drain(answered(engine.serve(helloRequest())))).hasSize(3);
        assertThat(engine.beta.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("continue when the content that comes in time is a refusal")
    void refusal() {
      try (var engine = withGuard()) {
        var refusal = new Event.RefusalDelta(Json.of("I would rather not do this for you."), null);
        engine.alpha.streams(emit(refusal), stall());
        var reply = answered(engine.serveWhileTimePasses(helloRequest(), Duration.ofMillis(10)));
        reply.answer().close();
        assertThat(engine.beta.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("fall back also when they fail after content that was held back")
    void breaks() {
      try (var engine = withGuard()) {
        engine.alpha.streams(text("a"), failed(failure(FailureKind.UNAVAILABLE, 503, -1)));
        engine.beta.streams(text("b"), finished());
        assertThat(drain(answered(engine.serve(helloRequest()))))
            .filteredOn(event -> event instanceof Event.TextDelta)
            .hasSize(1);
      }
    }
  }

  @Nested
  @DisplayName("with a BYOK key")
  class Byok {
    @Test
    @DisplayName("use that key first and then the gateway's own credential")
    void credentials() {
      try (var engine = new ScriptedEngine().withByokKeys(alphaByokKey("k1"))) {
        engine.alpha.refuses(failure(FailureKind.UNAVAILABLE, 503, -1));
        engine.alpha.answers(answer("fine"));
        var reply = answered(engine.serve(helloRequest()));
        drain(reply);
        assertThat(engine.alpha.calls())
            .extracting(call -> call.credential().reveal())
            .containsExactly("own-k1", "sk-alpha");
        assertThat(answeringAttempt(reply).byokKey()).isNull();
      }
    }

    @Proves("routing.byok.fee")
    @Test
    @DisplayName("cost a fee of 5 % of the list price and name the key")
    void fee() {
      try (var engine = new ScriptedEngine().withByokKeys(alphaByokKey("k1"))) {
        engine.alpha.streams(text("fine"), usage(100, 100), finished());
        var reply = answered(engine.serve(helloRequest()));
        drain(reply);
        assertThat(Objects.requireNonNull(reply.answer().bill()).byok()).isTrue();
        assertThat(answeringAttempt(reply).byokKey()).isEqualTo("k1");
        // 200 tokens at $1 a million are 200,000 nanodollars
        assertThat(engine.balance()).isEqualTo(settled(10_000));
      }
    }

    @Test
    @DisplayName("skip a rate-limited key, but not the gateway's own credential")
    void limited() {
      try (var engine = new ScriptedEngine().withByokKeys(alphaByokKey("k1"))) {
        engine.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 60));
        engine.alpha.answers(answer("fine"));
        engine.alpha.answers(answer("fine"));
        drain(answered(engine.serve(helloRequest())));
        drain(answered(engine.serve(helloRequest())));
        assertThat(engine.alpha.calls())
            .extracting(call -> call.credential().reveal())
            .containsExactly("own-k1", "sk-alpha", "sk-alpha");
      }
    }
  }

  @Nested
  @DisplayName("at endpoints that have failed")
  class Broken {
    @Test
    @DisplayName(
        "are skipped, with an entry in the trace, when the breaker opened after the decision")
    void opened() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.always(
            call -> {
              engine.openBreaker(PlannedAttempt.of(engine.endpointOf("beta")));
              return List.of(failed(failure(FailureKind.PROTOCOL)));
            });
        engine.gamma.answers(answer("fine"));
        drain(answered(engine.serve(helloRequest())));
        assertThat(engine.beta.calls()).isEmpty();
        assertThat(skipped(engine))
            .containsExactly(
                new TraceEntry.Skipped(
                    "acme/large@beta", null, "is cooling down, or its one probe is under way"));
      }
    }

    @Test
    @DisplayName(
        "let one request probe an endpoint that may have recovered, and no second one meanwhile")
    void probe() {
      try (var engine = new ScriptedEngine(null, endpoint("alpha", MODEL, "1"))) {
        engine.openBreaker(PlannedAttempt.of(engine.endpointOf("alpha")));
        engine.ambient.advance(Duration.ofSeconds(61));
        engine.alpha.streams(text("back"), usage(1, 1), finished());
        var first = answered(engine.serve(request(MODEL, "x")));
        GatewayError second = refused(engine.serve(request(MODEL, "x"))).error();
        assertThat(second.code()).isEqualTo(ErrorCode.TEMPORARILY_UNAVAILABLE);
        assertThat(second.retryAfterSeconds()).hasValue(1);
        assertThat(engine.alpha.calls()).hasSize(1);
        drain(first);
        engine.alpha.answers(answer("fine"));
        drain(answered(engine.serve(request(MODEL, "x"))));
      }
    }

    @Test
    @DisplayName("lead to a refusal with the earliest retry time when no endpoint may be used")
    void cooling() {
      try (var engine = new ScriptedEngine(null, endpoint("alpha", MODEL, "1"))) {
        engine.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 20));
        refused(engine.serve(request(MODEL, "x")));
        GatewayError error = refused(engine.serve(request(MODEL, "x"))).error();
        assertThat(error.code()).isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
        assertThat(error.retryAfterSeconds()).hasValue(20);
        assertThat(error.availability().get("retry_after")).isEqualTo(Json.of(20));
        assertThat(engine.alpha.calls()).hasSize(1);
        engine.ambient.advance(Duration.ofSeconds(20));
        engine.alpha.answers(answer("fine"));
        drain(answered(engine.serve(request(MODEL, "x"))));
      }
    }
  }

  @Nested
  @DisplayName("when little time is left,")
  class Late {
    @Test
    @DisplayName("skip an endpoint whose median time is longer, but use one that is fast enough")
    void tooSlow() {
      var beta = endpoint("beta", MODEL, "100");
      try (var engine =
          new ScriptedEngine(
                  null, endpoint("alpha", MODEL, "1"), beta, endpoint("gamma", MODEL, "10000"))
              .withTotalTimeout(Duration.ofSeconds(20))) {
        // by their statistics beta needs nine seconds and gamma one
        engine.recordFirstContentTime("beta", Duration.ofSeconds(9));
        engine.recordFirstContentTime("gamma", Duration.ofSeconds(1));
        engine.alpha.streams(
            pause(Duration.ofSeconds(12)), failed(failure(FailureKind.UNAVAILABLE)));
        engine.gamma.answers(answer("fine"));
        var reply = engine.serveWhileTimePasses(helloRequest(), Duration.ofSeconds(12));
        drain(answered(reply));
        assertThat(engine.beta.calls()).isEmpty();
        assertThat(skipped(engine))
            .extracting(TraceEntry.Skipped::endpoint)
            .containsExactly("acme/large@beta");
        assertThat(skipped(engine).getFirst().reason()).startsWith("too little time is left: ");
      }
    }
  }

  @Nested
  @DisplayName("without fallbacks")
  class Strict {
    @Proves({"provider.allow_fallbacks", "routing.order.OR-2"})
    @Test
    @DisplayName(
        "are made at the listed providers in order, and end with the error of the last (OR-2)")
    void listed() {
      try (var engine = new ScriptedEngine()) {
        engine.beta.refuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        engine.alpha.refuses(failure(FailureKind.OVERLOADED, 529, 7));
        GatewayError error = refused(engine.serve(withoutFallbacks("beta", "alpha"))).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PROVIDER_OVERLOADED);
        assertThat(error.metadata().longValue("provider_code", 0)).isEqualTo(529);
        assertThat(error.metadata().text("provider_name")).isEqualTo("alpha");
        assertThat(error.metadata().list("previous_errors")).hasSize(1);
        assertThat(error.retryAfterSeconds()).hasValue(7);
        assertThat(error.availability().size()).isZero();
        assertThat(engine.gamma.calls()).isEmpty();
      }
    }

    @Proves({"error.529", "open.16"})
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
      "529, PROVIDER_OVERLOADED",
      "503, TEMPORARILY_UNAVAILABLE",
      "500, TEMPORARILY_UNAVAILABLE",
      "0, TEMPORARILY_UNAVAILABLE"
    })
    @DisplayName("end with 529 only when the overloaded upstream itself answered 529")
    void overloaded(int status, ErrorCode code) {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.refuses(failure(FailureKind.OVERLOADED, status, -1));
        GatewayError error = refused(engine.serve(withoutFallbacks("alpha"))).error();
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.message()).isEqualTo(code.message());
      }
    }

    @Proves("routing.order.OR-5")
    @Test
    @DisplayName("consist of exactly one when no provider is listed (OR-5)")
    void one() {
      try (var engine =
          new ScriptedEngine(null, endpoint("alpha", MODEL, "1"), endpoint("beta", MODEL, "2"))) {
        engine.alpha.alwaysRefuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        engine.beta.alwaysRefuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        assertThat(refused(engine.serve(withoutFallbacks())).error().code())
            .isEqualTo(ErrorCode.PROVIDER_ERROR);
        assertThat(engine.alpha.calls().size() + engine.beta.calls().size()).isEqualTo(1);
      }
    }
  }

  @Nested
  @DisplayName("that all fail")
  class Aggregates {
    private GatewayError after(FailureKind alpha, FailureKind beta, FailureKind gamma) {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.refuses(failure(alpha, 0, -1));
        engine.beta.refuses(failure(beta, 0, 8));
        engine.gamma.refuses(failure(gamma, 0, 3));
        return refused(engine.serve(helloRequest())).error();
      }
    }

    @Proves({
      "routing.fallback.aggregate",
      "resources.error.retry-after",
      "resources.error.availability.429",
      "open.8"
    })
    @Test
    @DisplayName("because of rate limits end with 429 and the smallest of the retry hints")
    void limits() {
      var limited = FailureKind.RATE_LIMITED;
      GatewayError error = after(limited, limited, limited);
      assertThat(error.code()).isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
      assertThat(error.retryAfterSeconds()).hasValue(3);
      assertThat(error.availability().longValue("retry_after", 0)).isEqualTo(3);
    }

    @Proves({
      "error.503",
      "routing.fallback.aggregate",
      "resources.error.availability.503",
      "open.16"
    })
    @ParameterizedTest
    @EnumSource(
        value = FailureKind.class,
        names = {"RATE_LIMITED", "OVERLOADED", "UNAVAILABLE", "TIMEOUT", "PROTOCOL"})
    @DisplayName("for any mixture of temporary reasons end with 503")
    void transients(FailureKind kind) {
      GatewayError error = after(FailureKind.UNAVAILABLE, kind, kind);
      assertThat(error.code()).isEqualTo(ErrorCode.TEMPORARILY_UNAVAILABLE);
      assertThat(error.availability().get("retryable")).isEqualTo(Json.TRUE);
      assertThat(error.metadata().list("previous_errors")).hasSize(3);
    }

    @Proves({"routing.fallback.aggregate", "resources.error.availability.404"})
    @Test
    @DisplayName("because no upstream knows the model end with 404")
    void notFound() {
      var missing = FailureKind.NOT_FOUND;
      GatewayError error = after(missing, missing, missing);
      assertThat(error.code()).isEqualTo(ErrorCode.MODEL_UNAVAILABLE_UPSTREAM);
      assertThat(error.availability().get("retryable")).isEqualTo(Json.FALSE);
    }
  }

  @Nested
  @DisplayName("over several models")
  class Models {
    private static InferenceRequest twoModels() {
      return request(MODEL, "x").toBuilder()
          .models(List.of(ModelRef.parse(MODEL), ModelRef.parse("acme/small")))
          .build();
    }

    private static ScriptedEngine engine() {
      return new ScriptedEngine(
          null,
          endpoint("alpha", MODEL, "1"),
          endpoint("beta", MODEL, "1"),
          endpoint("gamma", "acme/small", "1"));
    }

    @Proves({"routing.fallback.next-model", "open.39"})
    @ParameterizedTest
    @EnumSource(
        value = FailureKind.class,
        names = {"INVALID_REQUEST", "CONTEXT_LENGTH", "CONTENT_POLICY"})
    @DisplayName("go to the next model that the caller listed when the request itself was refused")
    void nextModel(FailureKind kind) {
      try (var engine = engine()) {
        engine.alpha.alwaysRefuses(failure(kind, 400, -1));
        engine.beta.alwaysRefuses(failure(kind, 400, -1));
        engine.gamma.answers(answer("fine"));
        var reply = answered(engine.serve(twoModels()));
        drain(reply);
        assertThat(answeringAttempt(reply).modelIndex()).isEqualTo(1);
        assertThat(engine.alpha.calls().size() + engine.beta.calls().size()).isEqualTo(1);
        assertThat(skipped(engine)).hasSize(1);
      }
    }

    @Proves("open.39")
    @ParameterizedTest
    @EnumSource(
        value = FailureKind.class,
        mode = Mode.EXCLUDE,
        names = {"INVALID_REQUEST", "CONTEXT_LENGTH", "CONTENT_POLICY", "CANCELLED"})
    @DisplayName("try every endpoint of the first model first when the endpoints were at fault")
    void everyEndpoint(FailureKind kind) {
      try (var engine = engine()) {
        engine.alpha.refuses(failure(kind));
        engine.beta.refuses(failure(kind));
        engine.gamma.answers(answer("fine"));
        drain(answered(engine.serve(twoModels())));
        assertThat(engine.alpha.calls()).hasSize(1);
        assertThat(engine.beta.calls()).hasSize(1);
      }
    }
  }
}
