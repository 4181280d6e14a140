package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.refused;
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

@DisplayName("The typed API")
class TypedAdmissionTest {
  private static final int UNLIMITED = OverloadLimits.UNLIMITED;

  @Test
  @DisplayName(
      "refuses requests beyond the limit in flight, and has room again when an answer ends")
  void places() {
    try (var engine = new ScriptedEngine()) {
      engine.admission.configure(
          new OverloadLimits(UNLIMITED, 1, UNLIMITED, UNLIMITED, 0, Duration.ZERO, false));
      engine.alpha.streams(started(), text("fine"), usage(1, 1), finished());
      var reply = answered(engine.serve(helloRequest()));
      var refused = refused(engine.serve(helloRequest()));
      assertThat(refused.error().code().status()).isEqualTo(503);
      assertThat(refused.error().metadata().text("overload")).isEqualTo("queue_full");
      drain(reply);
      engine.alpha.answers(answer("fine"));
      drain(answered(engine.serve(helloRequest())));
    }
  }

  @Test
  @DisplayName("refuses a key at its limit of requests in flight with 429")
  void key() {
    try (var engine = new ScriptedEngine()) {
      engine.admission.configure(
          new OverloadLimits(UNLIMITED, UNLIMITED, 1, UNLIMITED, 0, Duration.ZERO, false));
      engine.alpha.streams(started(), text("fine"), usage(1, 1), finished());
      var reply = answered(engine.serve(helloRequest()));
      var refused = refused(engine.serve(helloRequest()));
      assertThat(refused.error().code().status()).isEqualTo(429);
      assertThat(refused.error().retryAfterSeconds()).hasValue(1);
      reply.answer().close();
      engine.alpha.answers(answer("fine"));
      drain(answered(engine.serve(helloRequest())));
    }
  }
}
