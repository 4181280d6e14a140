package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.EngineCalls.settled;
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
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(started(), text(""), failed(failure(FailureKind.UNAVAILABLE)));
        engine.beta.streams(started(), text("fine"), usage(1, 1), finished());
        List<Event> events = drain(answered(engine.serve(helloRequest())));
        assertThat(events).filteredOn(e -> e instanceof Event.Started).hasSize(1);
        assertThat(events).noneMatch(e -> e instanceof Event.Failed);
        assertThat(engine.balance()).isEqualTo(settled(200_000));
      }
    }

    @Proves("routing.fallback.next-endpoint")
    @Test
    @DisplayName("goes to the next candidate when a stream ends without a final event")
    void endsSilently() {
      try (var engine = new ScriptedEngine()) {
        engine.alphaReturns(new Event.Started(null));
        engine.beta.answers(answer("fine"));
        drain(answered(engine.serve(helloRequest())));
        assertThat(engine.beta.calls()).hasSize(1);
      }
    }

    @Proves({"routing.fallback.next-endpoint", "open.39"})
    @Test
    @DisplayName("does not try another endpoint of the same model when the request is at fault")
    void callerFault() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.refuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
        var refused = refused(engine.serve(helloRequest()));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION);
        assertThat(engine.beta.calls()).isEmpty();
        assertThat(engine.balance()).isEqualTo(settled(0));
      }
    }

    @Proves("routing.fallback.next-model")
    @Test
    @DisplayName("goes to the next model the caller listed when the request is at fault")
    void nextModel() {
      try (var engine =
          new ScriptedEngine(
              null, endpoint("alpha", MODEL, "1"), endpoint("beta", "acme/small", "1"))) {
        engine.alpha.refuses(failure(FailureKind.CONTEXT_LENGTH, 400, -1));
        engine.beta.answers(answer("fine"));
        InferenceRequest both =
            request(MODEL, "x").toBuilder()
                .models(List.of(ModelRef.parse(MODEL), ModelRef.parse("acme/small")))
                .build();
        var reply = answered(engine.serve(both));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString("acme/small@beta");
      }
    }

    @Proves("routing.fallback.previous_errors")
    @Test
    @DisplayName(
        "with every candidate is refused with one error that lists them all, and is not billed")
    void exhausted() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 9));
        engine.beta.refuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        engine.gamma.streams(started(), failed(failure(FailureKind.PROTOCOL)));
        var refused = refused(engine.serve(helloRequest()));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.TEMPORARILY_UNAVAILABLE);
        assertThat(refused.error().retryAfterSeconds()).hasValue(9);
        assertThat(refused.error().metadata().list("previous_errors")).hasSize(3);
        assertThat(refused.error().availability().get("retryable")).isEqualTo(Json.TRUE);
        assertThat(refused.delivery().attemptNumber()).isEqualTo(3);
        assertThat(engine.balance()).isEqualTo(settled(0));
        assertThat(engine.records).hasSize(1);
        assertThat(engine.callsInProgress()).isZero();
      }
    }

    @Proves("open.8")
    @Test
    @DisplayName("by rate limits only is refused with 429 and the smallest of the retry hints")
    void rateLimited() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 9));
        engine.beta.refuses(failure(FailureKind.RATE_LIMITED, 429, 4));
        engine.gamma.refuses(failure(FailureKind.RATE_LIMITED, 429, -1));
        var error = refused(engine.serve(helloRequest())).error();
        assertThat(error.code()).isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
        assertThat(error.retryAfterSeconds()).hasValue(4);
      }
    }

    @Proves("routing.fallback.previous_errors")
    @Test
    @DisplayName(
        "permanently with every candidate is refused with the last error and those before it,"
            + " without a retry hint")
    void nothingPasses() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.refuses(failure(FailureKind.NOT_FOUND, 404, -1));
        engine.beta.refuses(failure(FailureKind.QUOTA, 402, -1));
        engine.gamma.refuses(failure(FailureKind.CREDENTIAL, 401, -1));
        var error = refused(engine.serve(helloRequest())).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PROVIDER_ERROR);
        assertThat(error.metadata().longValue("provider_code", 0)).isEqualTo(401);
        assertThat(error.metadata().list("previous_errors")).hasSize(2);
      }
    }

    @Test
    @DisplayName("by sending events without content for ever is replaced by the next candidate")
    void endlessLifecycle() {
      try (var engine = new ScriptedEngine()) {
        engine.alphaReturns(
            Stream.generate(() -> new Event.Started(null)).limit(20_000).toArray(Event[]::new));
        engine.beta.answers(answer("fine"));
        var reply = answered(engine.serve(helloRequest()));
        assertThat(drain(reply)).hasSizeLessThan(5);
      }
    }

    @Test
    @DisplayName("is not replaced when the adapter reports that the request was cancelled")
    void cancelledByAdapter() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.refuses(failure(FailureKind.CANCELLED));
        refused(engine.serve(helloRequest()));
        assertThat(engine.beta.calls()).isEmpty();
      }
    }

    @Proves({"provider.allow_fallbacks", "routing.order.no-fallbacks"})
    @Test
    @DisplayName("is refused with the upstream's own error when fallbacks are forbidden")
    void noFallbacks() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.refuses(failure(FailureKind.OVERLOADED, 529, -1));
        InferenceRequest strict =
            request(MODEL, "x").toBuilder()
                .preferences(
                    ProviderPreferences.builder()
                        .order(List.of("alpha"))
                        .allowFallbacks(false)
                        .build())
                .build();
        var error = refused(engine.serve(strict)).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PROVIDER_OVERLOADED);
        assertThat(error.metadata().longValue("provider_code", 0)).isEqualTo(529);
        assertThat(engine.beta.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("by a bug of its adapter is refused with 500, and no other candidate is tried")
    void bug() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.breaks(new IllegalStateException("sk-alpha leaks here"));
        var refused = refused(engine.serve(helloRequest()));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(refused.error().message()).doesNotContain("sk-alpha");
        assertThat(engine.beta.calls()).isEmpty();
        assertThat(engine.balance()).isEqualTo(settled(0));
      }
    }
  }

  @Nested
  @DisplayName("whose upstream fails after content")
  class AfterContent {
    @Proves({"routing.fallback.never", "chat.answer.error.after"})
    @Test
    @DisplayName("ends with the error, tries no other candidate, and is not billed")
    void failsInBand() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("half"), failed(failure(FailureKind.PROTOCOL)));
        List<Event> events = drain(answered(engine.serve(helloRequest())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
        assertThat(engine.beta.calls()).isEmpty();
        assertThat(engine.balance()).isEqualTo(settled(0));
        assertThat(engine.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      }
    }

    @Test
    @DisplayName("by ending without a final event ends with an error")
    void endsSilently() {
      try (var engine = new ScriptedEngine()) {
        engine.alphaReturns(new Event.TextDelta("half"));
        List<Event> events = drain(answered(engine.serve(helloRequest())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
      }
    }
  }
}
