package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Asking.settled;
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

@DisplayName("An endpoint with as many requests in flight as it may have")
class FullEndpointTest {
  private static final int MANY = OverloadLimits.UNLIMITED;

  private final ScriptedEngine exchange = onePlaceEach(new ScriptedEngine());

  private static ScriptedEngine onePlaceEach(ScriptedEngine exchange) {
    exchange.admission.configure(new OverloadLimits(MANY, MANY, MANY, 1, 0, Duration.ZERO, false));
    return exchange;
  }

  private EndpointLimiter.Slot takes(String provider) {
    return Objects.requireNonNull(
        exchange.endpointLimiter.tryAcquire(exchange.at(provider).id(), null), provider);
  }

  private void assertNobodyIsInFlight() {
    assertThat(exchange.endpointLimiter.loads().values())
        .extracting(EndpointLoad::inFlight)
        .containsOnly(0);
    assertThat(exchange.admission.snapshot(exchange.endpointLimiter).inFlight()).isZero();
  }

  @Test
  @DisplayName("is passed over for the next candidate, and its health is as it was")
  void next() {
    try (exchange) {
      EndpointLimiter.Slot other = takes("alpha");
      exchange.beta.streams(started(), text("fine"), usage(1, 1), finished());
      var reply = answered(exchange.serve(ask()));
      drain(reply);
      assertThat(reply.delivery().endpoint()).hasToString("acme/large@beta");
      assertThat(reply.delivery().attempts())
          .contains(
              new TraceEntry.Skipped(
                  "acme/large@alpha", null, "has as many requests in flight as it may"));
      other.release();
      assertNobodyIsInFlight();
      exchange.health.healthOf(exchange.board.catalog()); // publishes
      EndpointStatistics alpha = exchange.board.published().of(exchange.at("alpha"));
      assertThat(alpha).isEqualTo(EndpointStatistics.NONE);
      assertThat(exchange.endpointLimiter.loads().get("acme/large@alpha"))
          .isEqualTo(new EndpointLoad(0, 1, 1));
    }
  }

  @Test
  @DisplayName("is 503 with Retry-After when no other candidate is left, and costs nothing")
  void none() {
    try (exchange) {
      var others = new ArrayList<EndpointLimiter.Slot>();
      for (String provider : List.of("alpha", "beta", "gamma")) {
        others.add(takes(provider));
      }
      var refused = refused(exchange.serve(ask()));
      assertThat(refused.error().code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(refused.error().retryAfterSeconds()).hasValue(1);
      assertThat(refused.error().metadata().text("overload")).isEqualTo("endpoint");
      assertThat(exchange.alpha.calls()).isEmpty();
      assertThat(exchange.balance()).isEqualTo(settled(0));
      others.forEach(EndpointLimiter.Slot::release);
      assertNobodyIsInFlight();
    }
  }

  @Test
  @DisplayName("has a place again once a stream is complete, closed, or failed")
  void released() {
    try (exchange) {
      exchange.alpha.streams(started(), text("fine"), usage(1, 1), finished());
      drain(answered(exchange.serve(ask())));
      assertNobodyIsInFlight();

      exchange.alpha.streams(started(), text("fine"), usage(1, 1), finished());
      var given = answered(exchange.serve(ask()));
      assertThat(exchange.endpointLimiter.loads().get("acme/large@alpha"))
          .isEqualTo(new EndpointLoad(1, 1, 0));
      assertThat(exchange.admission.snapshot(exchange.endpointLimiter).inFlight()).isEqualTo(1);
      given.answer().close();
      assertNobodyIsInFlight();

      exchange.alpha.refuses(failure(FailureKind.UNAVAILABLE, 500, -1));
      exchange.beta.answers(answer("fine"));
      drain(answered(exchange.serve(ask())));
      assertNobodyIsInFlight();
    }
  }

  @Test
  @DisplayName("has a place again when its adapter has a bug, or its breaker is open")
  void faults() {
    try (exchange) {
      exchange.alphaIs(
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
      refused(exchange.serve(ask()));
      assertNobodyIsInFlight();
      exchange.breakDown(PlannedAttempt.of(exchange.at("alpha")));
      exchange.beta.answers(answer("fine"));
      drain(answered(exchange.serve(ask())));
      assertNobodyIsInFlight();
    }
  }
}
