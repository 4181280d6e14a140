package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.inOrder;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.perMillion;
import static io.strowger.tck.Given.provider;
import static io.strowger.tck.Given.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The next turn of a conversation")
class StickyRoutingTest {
  /** Returns an endpoint that is so expensive that the draw never puts it first. */
  private static Endpoint expensiveEndpoint() {
    Pricing plain = perMillion("10000", "10000");
    return Endpoint.builder(MODEL, provider("gamma"))
        .pricing(
            Pricing.builder()
                .set(Price.PROMPT, plain.price(Price.PROMPT))
                .set(Price.COMPLETION, plain.price(Price.COMPLETION))
                .set(Price.INPUT_CACHE_READ, new UnitPrice(1))
                .build())
        .build();
  }

  private static ScriptedEngine engine() {
    return new ScriptedEngine(null, endpoint("alpha", MODEL, "1"), expensiveEndpoint());
  }

  private static InferenceRequest turn() {
    return request(MODEL, "x").toBuilder().sessionId("s").build();
  }

  private static void firstTurn(ScriptedEngine engine) {
    engine.gamma.answers(answer("one"));
    drain(answered(engine.serve(inOrder(turn(), "gamma"))));
  }

  @Proves("routing.sticky.ST-1")
  @Test
  @DisplayName("goes to the endpoint that served the turn before (ST-1)")
  void sticks() {
    try (var engine = engine()) {
      firstTurn(engine);
      engine.gamma.answers(answer("two"));
      drain(answered(engine.serve(turn())));
      assertThat(engine.gamma.calls()).hasSize(2);
      assertThat(engine.alpha.calls()).isEmpty();
    }
  }

  @Proves({"routing.sticky.ttl", "routing.sticky.ST-4"})
  @Test
  @DisplayName("goes to the next best endpoint when that one fails (ST-4)")
  void fails() {
    try (var engine = engine()) {
      firstTurn(engine);
      engine.gamma.refuses(failure(FailureKind.UNAVAILABLE, 503, -1));
      engine.alpha.answers(answer("two"));
      drain(answered(engine.serve(turn())));
      assertThat(engine.gamma.calls()).hasSize(2);
      assertThat(engine.alpha.calls()).hasSize(1);
    }
  }
}
