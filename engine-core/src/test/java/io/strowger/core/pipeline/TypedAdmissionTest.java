package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.overload.OverloadLimits;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The typed front door")
class TypedAdmissionTest {
  private static final int MANY = OverloadLimits.UNLIMITED;

  @Test
  @DisplayName("refuses what is more than may be in flight, and has room when an answer ends")
  void places() {
    try (var exchange = new ScriptedEngine()) {
      exchange.admission.configure(
          new OverloadLimits(MANY, 1, MANY, MANY, 0, Duration.ZERO, false));
      exchange.alpha.streams(started(), text("fine"), usage(1, 1), finished());
      var given = answered(exchange.serve(ask()));
      var refused = refused(exchange.serve(ask()));
      assertThat(refused.error().code().status()).isEqualTo(503);
      assertThat(refused.error().metadata().text("overload")).isEqualTo("queue_full");
      drain(given);
      exchange.alpha.answers(answer("fine"));
      drain(answered(exchange.serve(ask())));
    }
  }

  @Test
  @DisplayName("refuses a key that has as many in flight as it may with 429")
  void key() {
    try (var exchange = new ScriptedEngine()) {
      exchange.admission.configure(
          new OverloadLimits(MANY, MANY, 1, MANY, 0, Duration.ZERO, false));
      exchange.alpha.streams(started(), text("fine"), usage(1, 1), finished());
      var given = answered(exchange.serve(ask()));
      var refused = refused(exchange.serve(ask()));
      assertThat(refused.error().code().status()).isEqualTo(429);
      assertThat(refused.error().retryAfterSeconds()).hasValue(1);
      given.answer().close();
      exchange.alpha.answers(answer("fine"));
      drain(answered(exchange.serve(ask())));
    }
  }
}
