package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.inOrder;
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
  /** So dear that no draw would begin with it. */
  private static Endpoint dear() {
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

  private static ScriptedEngine exchange() {
    return new ScriptedEngine(null, endpoint("alpha", MODEL, "1"), dear());
  }

  private static InferenceRequest turn() {
    return request(MODEL, "x").toBuilder().sessionId("s").build();
  }

  private static void firstTurn(ScriptedEngine exchange) {
    exchange.gamma.answers(answer("one"));
    drain(answered(exchange.serve(inOrder(turn(), "gamma"))));
  }

  @Proves("routing.sticky.ST-1")
  @Test
  @DisplayName("goes where the one before was served (ST-1)")
  void sticks() {
    try (var exchange = exchange()) {
      firstTurn(exchange);
      exchange.gamma.answers(answer("two"));
      drain(answered(exchange.serve(turn())));
      assertThat(exchange.gamma.calls()).hasSize(2);
      assertThat(exchange.alpha.calls()).isEmpty();
    }
  }

  @Proves({"routing.sticky.ttl", "routing.sticky.ST-4"})
  @Test
  @DisplayName("goes to the next best when that one fails (ST-4)")
  void fails() {
    try (var exchange = exchange()) {
      firstTurn(exchange);
      exchange.gamma.refuses(failure(FailureKind.UNAVAILABLE, 503, -1));
      exchange.alpha.answers(answer("two"));
      drain(answered(exchange.serve(turn())));
      assertThat(exchange.gamma.calls()).hasSize(2);
      assertThat(exchange.alpha.calls()).hasSize(1);
    }
  }
}
