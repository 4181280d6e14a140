package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.inOrder;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Asking.settled;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.core.pipeline.ScriptedEngine.own;
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
  private static InferenceRequest strict(String... order) {
    return request(MODEL, "x").toBuilder()
        .preferences(
            ProviderPreferences.builder().order(List.of(order)).allowFallbacks(false).build())
        .build();
  }

  private static InferenceRequest ask() {
    return inOrder(streaming(MODEL, "hello"), "alpha", "beta", "gamma");
  }

  private static PlannedAttempt by(Reply reply) {
    return Objects.requireNonNull(reply.delivery().answeringAttempt());
  }

  private static List<TraceEntry.Skipped> skipped(ScriptedEngine exchange) {
    return exchange.records.getLast().trace().stream()
        .filter(TraceEntry.Skipped.class::isInstance)
        .map(TraceEntry.Skipped.class::cast)
        .toList();
  }

  @Nested
  @DisplayName("at an upstream that drips, where streams have to flow")
  class Dripping {
    /** Eight tokens, or two seconds at four a second. */
    private ScriptedEngine guarded() {
      return new ScriptedEngine().guarded(new SlowStreamGuard(Duration.ofSeconds(2), 4));
    }

    @Test
    @DisplayName("are given up within the window, and nothing of them is shown")
    void drips() {
      try (var exchange = guarded()) {
        exchange.alpha.streams(
            text("a"), pause(ofMillis(900)), text("b"), pause(ofMillis(900)), text("c"), stall());
        exchange.beta.streams(text("a stream that flows at once, "), text("b"), finished());
        var reply = answered(exchange.serveWhileTimePasses(ask(), Duration.ofMillis(10)));
        assertThat(drain(reply))
            .filteredOn(event -> event instanceof Event.TextDelta)
            .extracting(event -> ((Event.TextDelta) event).text().text())
            .containsExactly("a stream that flows at once, ", "b");
        assertThat(exchange.records.getLast().trace())
            .anyMatch(
                e -> e instanceof TraceEntry.Attempted a && a.failure() == FailureKind.TIMEOUT);
      }
    }

    @Test
    @DisplayName("are kept when enough comes in time, or the answer is complete")
    void flows() {
      try (var exchange = guarded()) {
        exchange.alpha.streams(
            text("sixteen bytes..."), pause(ofMillis(1900)), text("sixteen bytes..."), finished());
        exchange.alpha.streams(text("yes"), finished());
        var slow = answered(exchange.serveWhileTimePasses(ask(), Duration.ofMillis(10)));
        assertThat(drain(slow)).hasSize(4);
        assertThat(drain(answered(exchange.serve(ask())))).hasSize(3);
        assertThat(exchange.beta.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("are kept when what comes in time is a refusal")
    void refusal() {
      try (var exchange = guarded()) {
        var refusal = new Event.RefusalDelta(Json.of("I would rather not do this for you."), null);
        exchange.alpha.streams(emit(refusal), stall());
        var reply = answered(exchange.serveWhileTimePasses(ask(), Duration.ofMillis(10)));
        reply.answer().close();
        assertThat(exchange.beta.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("fall over also when they break after content that was held back")
    void breaks() {
      try (var exchange = guarded()) {
        exchange.alpha.streams(text("a"), failed(failure(FailureKind.UNAVAILABLE, 503, -1)));
        exchange.beta.streams(text("b"), finished());
        assertThat(drain(answered(exchange.serve(ask()))))
            .filteredOn(event -> event instanceof Event.TextDelta)
            .hasSize(1);
      }
    }
  }

  @Nested
  @DisplayName("with the customer's own key")
  class Byok {
    @Test
    @DisplayName("are made with that key first and then with the gateway's own credential")
    void credentials() {
      try (var exchange = new ScriptedEngine().with(own("k1"))) {
        exchange.alpha.refuses(failure(FailureKind.UNAVAILABLE, 503, -1));
        exchange.alpha.answers(answer("fine"));
        var reply = answered(exchange.serve(ask()));
        drain(reply);
        assertThat(exchange.alpha.calls())
            .extracting(call -> call.credential().reveal())
            .containsExactly("own-k1", "sk-alpha");
        assertThat(by(reply).byokKey()).isNull();
      }
    }

    @Proves("routing.byok.fee")
    @Test
    @DisplayName("cost a fee of 5 % of the list price, and say whose key it was")
    void fee() {
      try (var exchange = new ScriptedEngine().with(own("k1"))) {
        exchange.alpha.streams(text("fine"), usage(100, 100), finished());
        var reply = answered(exchange.serve(ask()));
        drain(reply);
        assertThat(Objects.requireNonNull(reply.answer().bill()).byok()).isTrue();
        assertThat(by(reply).byokKey()).isEqualTo("k1");
        // 200 tokens at $1 a million are 200,000 nanodollars
        assertThat(exchange.balance()).isEqualTo(settled(10_000));
      }
    }

    @Test
    @DisplayName("leave that key alone after it was limited, and not the gateway's own credential")
    void limited() {
      try (var exchange = new ScriptedEngine().with(own("k1"))) {
        exchange.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 60));
        exchange.alpha.answers(answer("fine"));
        exchange.alpha.answers(answer("fine"));
        drain(answered(exchange.serve(ask())));
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.alpha.calls())
            .extracting(call -> call.credential().reveal())
            .containsExactly("own-k1", "sk-alpha", "sk-alpha");
      }
    }
  }

  @Nested
  @DisplayName("to what broke down")
  class Broken {
    @Test
    @DisplayName("are passed over, with a note, when the breaker opened since the decision")
    void opened() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.always(
            call -> {
              exchange.breakDown(PlannedAttempt.of(exchange.at("beta")));
              return List.of(failed(failure(FailureKind.PROTOCOL)));
            });
        exchange.gamma.answers(answer("fine"));
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(skipped(exchange))
            .containsExactly(
                new TraceEntry.Skipped(
                    "acme/large@beta", null, "is cooling down, or its one probe is under way"));
      }
    }

    @Test
    @DisplayName("let one request through when it may be back, and no second one meanwhile")
    void probe() {
      try (var exchange = new ScriptedEngine(null, endpoint("alpha", MODEL, "1"))) {
        exchange.breakDown(PlannedAttempt.of(exchange.at("alpha")));
        exchange.ambient.advance(Duration.ofSeconds(61));
        exchange.alpha.streams(text("back"), usage(1, 1), finished());
        var first = answered(exchange.serve(request(MODEL, "x")));
        GatewayError second = refused(exchange.serve(request(MODEL, "x"))).error();
        assertThat(second.code()).isEqualTo(ErrorCode.TEMPORARILY_UNAVAILABLE);
        assertThat(second.retryAfterSeconds()).hasValue(1);
        assertThat(exchange.alpha.calls()).hasSize(1);
        drain(first);
        exchange.alpha.answers(answer("fine"));
        drain(answered(exchange.serve(request(MODEL, "x"))));
      }
    }

    @Test
    @DisplayName("come back in the answer: who, and when, when nobody could be asked")
    void cooling() {
      try (var exchange = new ScriptedEngine(null, endpoint("alpha", MODEL, "1"))) {
        exchange.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 20));
        refused(exchange.serve(request(MODEL, "x")));
        GatewayError error = refused(exchange.serve(request(MODEL, "x"))).error();
        assertThat(error.code()).isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
        assertThat(error.retryAfterSeconds()).hasValue(20);
        assertThat(error.availability().get("retry_after")).isEqualTo(Json.of(20));
        assertThat(exchange.alpha.calls()).hasSize(1);
        exchange.ambient.advance(Duration.ofSeconds(20));
        exchange.alpha.answers(answer("fine"));
        drain(answered(exchange.serve(request(MODEL, "x"))));
      }
    }
  }

  @Nested
  @DisplayName("when little time is left")
  class Late {
    @Test
    @DisplayName("are not made where half of the requests take longer, but where they do not")
    void tooSlow() {
      var beta = endpoint("beta", MODEL, "100");
      try (var exchange =
          new ScriptedEngine(
                  null, endpoint("alpha", MODEL, "1"), beta, endpoint("gamma", MODEL, "10000"))
              .within(Duration.ofSeconds(20))) {
        // beta is known to need nine seconds, gamma one
        exchange.measure("beta", Duration.ofSeconds(9));
        exchange.measure("gamma", Duration.ofSeconds(1));
        exchange.alpha.streams(
            pause(Duration.ofSeconds(12)), failed(failure(FailureKind.UNAVAILABLE)));
        exchange.gamma.answers(answer("fine"));
        var reply = exchange.serveWhileTimePasses(ask(), Duration.ofSeconds(12));
        drain(answered(reply));
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(skipped(exchange))
            .extracting(TraceEntry.Skipped::endpoint)
            .containsExactly("acme/large@beta");
        assertThat(skipped(exchange).getFirst().reason()).startsWith("too little time is left: ");
      }
    }
  }

  @Nested
  @DisplayName("without fallbacks")
  class Strict {
    @Proves({"provider.allow_fallbacks", "routing.order.OR-2"})
    @Test
    @DisplayName("are those listed, in order, and end in the last one's own error (OR-2)")
    void listed() {
      try (var exchange = new ScriptedEngine()) {
        exchange.beta.refuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        exchange.alpha.refuses(failure(FailureKind.OVERLOADED, 529, 7));
        GatewayError error = refused(exchange.serve(strict("beta", "alpha"))).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PROVIDER_OVERLOADED);
        assertThat(error.metadata().longValue("provider_code", 0)).isEqualTo(529);
        assertThat(error.metadata().text("provider_name")).isEqualTo("alpha");
        assertThat(error.metadata().list("previous_errors")).hasSize(1);
        assertThat(error.retryAfterSeconds()).hasValue(7);
        assertThat(error.availability().size()).isZero();
        assertThat(exchange.gamma.calls()).isEmpty();
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
    @DisplayName("end in 529 only where the upstream that has too much to do said 529 itself")
    void overloaded(int status, ErrorCode code) {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.refuses(failure(FailureKind.OVERLOADED, status, -1));
        GatewayError error = refused(exchange.serve(strict("alpha"))).error();
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.message()).isEqualTo(code.message());
      }
    }

    @Proves("routing.order.OR-5")
    @Test
    @DisplayName("are exactly one when none is listed (OR-5)")
    void one() {
      try (var exchange =
          new ScriptedEngine(null, endpoint("alpha", MODEL, "1"), endpoint("beta", MODEL, "2"))) {
        exchange.alpha.alwaysRefuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        exchange.beta.alwaysRefuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        assertThat(refused(exchange.serve(strict())).error().code())
            .isEqualTo(ErrorCode.PROVIDER_ERROR);
        assertThat(exchange.alpha.calls().size() + exchange.beta.calls().size()).isEqualTo(1);
      }
    }
  }

  @Nested
  @DisplayName("that all fail")
  class Aggregates {
    private GatewayError after(FailureKind alpha, FailureKind beta, FailureKind gamma) {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.refuses(failure(alpha, 0, -1));
        exchange.beta.refuses(failure(beta, 0, 8));
        exchange.gamma.refuses(failure(gamma, 0, 3));
        return refused(exchange.serve(ask())).error();
      }
    }

    @Proves({
      "routing.fallback.aggregate",
      "resources.error.retry-after",
      "resources.error.availability.429",
      "open.8"
    })
    @Test
    @DisplayName("by limits are 429 and may be tried again after the smallest hint")
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
    @DisplayName("by what may pass are 503, of whatever mixture")
    void transients(FailureKind kind) {
      GatewayError error = after(FailureKind.UNAVAILABLE, kind, kind);
      assertThat(error.code()).isEqualTo(ErrorCode.TEMPORARILY_UNAVAILABLE);
      assertThat(error.availability().get("retryable")).isEqualTo(Json.TRUE);
      assertThat(error.metadata().list("previous_errors")).hasSize(3);
    }

    @Proves({"routing.fallback.aggregate", "resources.error.availability.404"})
    @Test
    @DisplayName("because nobody knows the model are 404")
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
    private static InferenceRequest two() {
      return request(MODEL, "x").toBuilder()
          .models(List.of(ModelRef.parse(MODEL), ModelRef.parse("acme/small")))
          .build();
    }

    private static ScriptedEngine exchange() {
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
    @DisplayName("go to the next model the caller listed when the request itself was refused")
    void nextModel(FailureKind kind) {
      try (var exchange = exchange()) {
        exchange.alpha.alwaysRefuses(failure(kind, 400, -1));
        exchange.beta.alwaysRefuses(failure(kind, 400, -1));
        exchange.gamma.answers(answer("fine"));
        var reply = answered(exchange.serve(two()));
        drain(reply);
        assertThat(by(reply).modelIndex()).isEqualTo(1);
        assertThat(exchange.alpha.calls().size() + exchange.beta.calls().size()).isEqualTo(1);
        assertThat(skipped(exchange)).hasSize(1);
      }
    }

    @Proves("open.39")
    @ParameterizedTest
    @EnumSource(
        value = FailureKind.class,
        mode = Mode.EXCLUDE,
        names = {"INVALID_REQUEST", "CONTEXT_LENGTH", "CONTENT_POLICY", "CANCELLED"})
    @DisplayName("try every endpoint of the first model before, when endpoints were at fault")
    void everyEndpoint(FailureKind kind) {
      try (var exchange = exchange()) {
        exchange.alpha.refuses(failure(kind));
        exchange.beta.refuses(failure(kind));
        exchange.gamma.answers(answer("fine"));
        drain(answered(exchange.serve(two())));
        assertThat(exchange.alpha.calls()).hasSize(1);
        assertThat(exchange.beta.calls()).hasSize(1);
      }
    }
  }
}
