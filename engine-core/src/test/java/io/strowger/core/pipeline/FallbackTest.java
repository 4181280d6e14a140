package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Asking.settled;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Step.failed;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A request for inference")
class FallbackTest {
  @Nested
  @DisplayName("whose upstream fails before content")
  class Fallback {
    @Proves({"routing.fallback.next-endpoint", "open.41"})
    @Test
    @DisplayName("goes to the next candidate and shows nothing of the first")
    void next() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(started(), text(""), failed(failure(FailureKind.UNAVAILABLE)));
        exchange.beta.streams(started(), text("fine"), usage(1, 1), finished());
        List<Event> events = drain(answered(exchange.serve(ask())));
        assertThat(events).filteredOn(e -> e instanceof Event.Started).hasSize(1);
        assertThat(events).noneMatch(e -> e instanceof Event.Failed);
        assertThat(exchange.balance()).isEqualTo(settled(200_000));
      }
    }

    @Proves("routing.fallback.next-endpoint")
    @Test
    @DisplayName("goes on when a stream just ends")
    void endsSilently() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alphaGives(new Event.Started(null));
        exchange.beta.answers(answer("fine"));
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.beta.calls()).hasSize(1);
      }
    }

    @Proves({"routing.fallback.next-endpoint", "open.39"})
    @Test
    @DisplayName("does not ask another endpoint of the same model when the request is at fault")
    void callerFault() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.refuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
        var refused = refused(exchange.serve(ask()));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION);
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
      }
    }

    @Proves("routing.fallback.next-model")
    @Test
    @DisplayName("goes to the next model the caller listed when the request is at fault")
    void nextModel() {
      try (var exchange =
          new ScriptedEngine(
              null, endpoint("alpha", MODEL, "1"), endpoint("beta", "acme/small", "1"))) {
        exchange.alpha.refuses(failure(FailureKind.CONTEXT_LENGTH, 400, -1));
        exchange.beta.answers(answer("fine"));
        InferenceRequest both =
            request(MODEL, "x").toBuilder()
                .models(List.of(ModelRef.parse(MODEL), ModelRef.parse("acme/small")))
                .build();
        var reply = answered(exchange.serve(both));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString("acme/small@beta");
      }
    }

    @Proves("routing.fallback.previous_errors")
    @Test
    @DisplayName("with every candidate gets one error that sums them up, and pays nothing")
    void exhausted() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 9));
        exchange.beta.refuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        exchange.gamma.streams(started(), failed(failure(FailureKind.PROTOCOL)));
        var refused = refused(exchange.serve(ask()));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.TEMPORARILY_UNAVAILABLE);
        assertThat(refused.error().retryAfterSeconds()).hasValue(9);
        assertThat(refused.error().metadata().list("previous_errors")).hasSize(3);
        assertThat(refused.error().availability().get("retryable")).isEqualTo(Json.TRUE);
        assertThat(refused.delivery().attemptNumber()).isEqualTo(3);
        assertThat(exchange.balance()).isEqualTo(settled(0));
        assertThat(exchange.records).hasSize(1);
        assertThat(exchange.underWay()).isZero();
      }
    }

    @Proves("open.8")
    @Test
    @DisplayName("by rate limits alone gets 429 and the soonest hint")
    void rateLimited() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 9));
        exchange.beta.refuses(failure(FailureKind.RATE_LIMITED, 429, 4));
        exchange.gamma.refuses(failure(FailureKind.RATE_LIMITED, 429, -1));
        var error = refused(exchange.serve(ask())).error();
        assertThat(error.code()).isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
        assertThat(error.retryAfterSeconds()).hasValue(4);
      }
    }

    @Proves("routing.fallback.previous_errors")
    @Test
    @DisplayName(
        "for good, everywhere, gets the last error and those before it, not a word of trying again")
    void nothingPasses() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.refuses(failure(FailureKind.NOT_FOUND, 404, -1));
        exchange.beta.refuses(failure(FailureKind.QUOTA, 402, -1));
        exchange.gamma.refuses(failure(FailureKind.CREDENTIAL, 401, -1));
        var error = refused(exchange.serve(ask())).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PROVIDER_ERROR);
        assertThat(error.metadata().longValue("provider_code", 0)).isEqualTo(401);
        assertThat(error.metadata().list("previous_errors")).hasSize(2);
      }
    }

    @Test
    @DisplayName("by sending events without content for ever goes on to the next")
    void endlessLifecycle() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alphaGives(
            Stream.generate(() -> new Event.Started(null)).limit(20_000).toArray(Event[]::new));
        exchange.beta.answers(answer("fine"));
        var reply = answered(exchange.serve(ask()));
        assertThat(drain(reply)).hasSizeLessThan(5);
      }
    }

    @Test
    @DisplayName("asks nobody else when an adapter says that the request was cancelled")
    void cancelledByAdapter() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.refuses(failure(FailureKind.CANCELLED));
        refused(exchange.serve(ask()));
        assertThat(exchange.beta.calls()).isEmpty();
      }
    }

    @Proves({"provider.allow_fallbacks", "routing.order.no-fallbacks"})
    @Test
    @DisplayName("gets the upstream's own error when fallbacks are forbidden")
    void noFallbacks() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.refuses(failure(FailureKind.OVERLOADED, 529, -1));
        InferenceRequest strict =
            request(MODEL, "x").toBuilder()
                .preferences(
                    ProviderPreferences.builder()
                        .order(List.of("alpha"))
                        .allowFallbacks(false)
                        .build())
                .build();
        var error = refused(exchange.serve(strict)).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PROVIDER_OVERLOADED);
        assertThat(error.metadata().longValue("provider_code", 0)).isEqualTo(529);
        assertThat(exchange.beta.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("with an adapter's bug is refused with 500, and nobody else is asked")
    void bug() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.breaks(new IllegalStateException("sk-alpha leaks here"));
        var refused = refused(exchange.serve(ask()));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(refused.error().message()).doesNotContain("sk-alpha");
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
      }
    }
  }

  @Nested
  @DisplayName("whose upstream fails after content")
  class AfterContent {
    @Proves({"routing.fallback.never", "chat.answer.error.after"})
    @Test
    @DisplayName(
        "ends with the error, asks nobody else, and pays nothing for an answer cut by an error")
    void failsInBand() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("half"), failed(failure(FailureKind.PROTOCOL)));
        List<Event> events = drain(answered(exchange.serve(ask())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
        assertThat(exchange.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      }
    }

    @Test
    @DisplayName("by ending without saying so ends with an error, never cleanly")
    void endsSilently() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alphaGives(new Event.TextDelta("half"));
        List<Event> events = drain(answered(exchange.serve(ask())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
      }
    }
  }
}
