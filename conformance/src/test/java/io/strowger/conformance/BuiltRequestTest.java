package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.inference.Reply;
import io.strowger.simulated.Script;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ModelRef;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A request that an embedder builds")
@Timeout(60)
class BuiltRequestTest {
  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  private static InferenceRequest.Builder request(Dialect dialect, String model) {
    var text = new Part.Text(Json.of("Hello"), Json.Obj.EMPTY, null);
    return InferenceRequest.builder(dialect, Json.Obj.EMPTY)
        .models(List.of(ModelRef.parse(model)))
        .messages(
            List.of(
                new Message(
                    Message.Role.USER,
                    List.of(text),
                    Message.ContentForm.LIST,
                    Json.Obj.EMPTY,
                    null)))
        .member("temperature", Json.of(new BigDecimal("0.25")));
  }

  private Reply serve(InferenceRequest request) {
    Caller caller =
        gateway.gateway.authenticator().admit("Bearer " + Fixtures.APP_KEY, KeyRequirement.ANY);
    return gateway.gateway.inference().serve(caller, request, new Cancellation());
  }

  private static void readToEnd(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    try (Reply.MeteredAnswer begun = ((Reply.Answered) reply).answer()) {
      while (begun.next() != null) {
        // nothing to do
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("has its typed temperature sent to upstreams of every dialect")
  void everyUpstream(Dialect dialect) {
    for (DialectUpstream upstream : DialectUpstream.values()) {
      gateway.upstream.script("large", Script.answer("Fine."));
      readToEnd(serve(request(dialect, "acme/" + upstream.slug()).build()));
      JsonNode sent = gateway.sent();
      JsonNode temperature =
          upstream == DialectUpstream.GEMINI
              ? sent.at("/generationConfig/temperature")
              : sent.path("temperature");
      assertThat(temperature.asDouble()).as("%s: %s", upstream, sent).isEqualTo(0.25);
    }
  }
}
