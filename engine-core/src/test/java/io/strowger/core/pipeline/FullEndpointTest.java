package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.overload.AdmissionSnapshot.EndpointLoad;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.overload.OverloadLimits;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An endpoint with the maximum number of requests in flight")
class FullEndpointTest {
  private static final int UNLIMITED = OverloadLimits.UNLIMITED;

  private final ScriptedEngine engine = onePlaceEach(new ScriptedEngine());

  private static ScriptedEngine onePlaceEach(ScriptedEngine engine) {
    engine.admission.configure(
        new OverloadLimits(UNLIMITED, UNLIMITED, UNLIMITED, 1, 0, Duration.ZERO, false));
    return engine;
  }

  private EndpointLimiter.Slot takePlace(String provider) {
    return Objects.requireNonNull(
        engine.endpointLimiter.tryAcquire(engine.endpointOf(provider).id(), null), provider);
  }

  private void assertNoneInFlight() {
    assertThat(engine.endpointLimiter.loads().values())
        .extracting(EndpointLoad::inFlight)
        .containsOnly(0);
    assertThat(engine.admission.snapshot(engine.endpointLimiter).inFlight()).isZero();
  }

  @Test
  @DisplayName("is skipped for the next candidate, and its health does not change")
  void next() {
    try (engine) {
      EndpointLimiter.Slot slot = takePlace("alpha");
      engine.beta.streams(started(), text("fine"), usage(1, 1), finished());
      var reply = answered(engine.serve(helloRequest()));
      drain(reply);
      assertThat(reply.delivery().endpoint()).hasToString("acme/large@beta");
      assertThat(reply.delivery().attempts())
          .contains(
              new TraceEntry.Skipped(
                  "acme/large@alpha", null, "has as many requests in flight as it may"));
      slot.release();
      assertNoneInFlight();
      engine.health.healthOf(engine.catalogHealth.catalog()); // publishes the statistics
      EndpointStatistics alpha = engine.catalogHealth.published().of(engine.endpointOf("alpha"));
      assertThat(alpha).isEqualTo(EndpointStatistics.NONE);
      assertThat(engine.endpointLimiter.loads().get("acme/large@alpha"))
          .isEqualTo(new EndpointLoad(0, 1, 1));
    }
  }

  @Test
  @DisplayName(
      "leads to 503 with Retry-After when no other candidate is left, and nothing is billed")
  void none() {
    try (engine) {
      var slots = new ArrayList<EndpointLimiter.Slot>();
      for (String provider : List.of("alpha", "beta", "gamma")) {
        slots.add(takePlace(provider));
      }
      var refused = refused(engine.serve(helloRequest()));
      assertThat(refused.error().code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(refused.error().retryAfterSeconds()).hasValue(1);
      assertThat(refused.error().metadata().text("overload")).isEqualTo("endpoint");
      assertThat(engine.alpha.calls()).isEmpty();
      assertThat(engine.balance()).isEqualTo(settled(0));
      slots.forEach(EndpointLimiter.Slot::release);
      assertNoneInFlight();
    }
  }

  @Test
  @DisplayName("has a place again once a stream is complete, closed, or failed")
  void released() {
    try (engine) {
      engine.alpha.streams(started(), text("fine"), usage(1, 1), finished());
      drain(answered(engine.serve(helloRequest())));
      assertNoneInFlight();

      engine.alpha.streams(started(), text("fine"), usage(1, 1), finished());
      var reply = answered(engine.serve(helloRequest()));
      assertThat(engine.endpointLimiter.loads().get("acme/large@alpha"))
          .isEqualTo(new EndpointLoad(1, 1, 0));
      assertThat(engine.admission.snapshot(engine.endpointLimiter).inFlight()).isEqualTo(1);
      reply.answer().close();
      assertNoneInFlight();

      engine.alpha.refuses(failure(FailureKind.UNAVAILABLE, 500, -1));
      engine.beta.answers(answer("fine"));
      drain(answered(engine.serve(helloRequest())));
      assertNoneInFlight();
    }
  }

  @Test
  @DisplayName("has a place again when its adapter has a bug, or its breaker is open")
  void faults() {
    try (engine) {
      engine.replaceAlpha(
          new ChatProvider() {
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
          });
      refused(engine.serve(helloRequest()));
      assertNoneInFlight();
      engine.openBreaker(PlannedAttempt.of(engine.endpointOf("alpha")));
      engine.beta.answers(answer("fine"));
      drain(answered(engine.serve(helloRequest())));
      assertNoneInFlight();
    }
  }
}
