package io.strowger.host.client;

import static io.strowger.host.client.LoopbackGateway.OVER_MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.InternalServerException;
import com.openai.errors.NotFoundException;
import com.openai.errors.OpenAIServiceException;
import com.openai.errors.RateLimitException;
import com.openai.errors.UnauthorizedException;
import com.openai.errors.UnexpectedStatusCodeException;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseError;
import com.openai.models.responses.ResponseStreamEvent;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The client library of the responses format throws")
class ResponsesClientErrorsTest {
  private static final String MODELS = "io.strowger.host.client.LoopbackGateway#models";

  private LoopbackGateway gateway;
  private OpenAIClient client;

  @BeforeEach
  void start() throws IOException {
    gateway = new LoopbackGateway();
    client = ResponsesClients.client(gateway, LoopbackGateway.KEY);
  }

  @AfterEach
  void stop() {
    client.close();
    gateway.close();
  }

  private <T extends OpenAIServiceException> T refused(
      Class<T> type, ResponseCreateParams request) {
    T refusal = catchThrowableOfType(type, () -> client.responses().create(request));
    assertThat(refusal).isNotNull();
    return refusal;
  }

  @Test
  @DisplayName("UnauthorizedException for a wrong key")
  void wrongKey() {
    client.close();
    client = ResponsesClients.client(gateway, "sk-nobody");
    refused(UnauthorizedException.class, ResponsesClients.hello(OVER_MESSAGES).build());
    assertThat(gateway.upstream().requests()).isZero();
  }

  @Test
  @DisplayName("an exception with status 402 for a key that cannot pay")
  void tooPoor() {
    client.close();
    client = ResponsesClients.client(gateway, LoopbackGateway.POOR_KEY);
    var refusal =
        refused(
            UnexpectedStatusCodeException.class,
            ResponsesClients.hello(OVER_MESSAGES).maxOutputTokens(1000).build());
    assertThat(refusal.statusCode()).isEqualTo(402);
    assertThat(gateway.upstream().requests()).isZero();
  }

  @Test
  @DisplayName("BadRequestException for a bad request, with every problem in the message")
  void badRequest() {
    var refusal =
        refused(
            BadRequestException.class,
            ResponsesClients.hello(OVER_MESSAGES).store(true).temperature(3).build());
    assertThat(refusal.getMessage()).contains("/temperature", "/store");
    assertThat(gateway.upstream().requests()).isZero();
  }

  @Test
  @DisplayName("NotFoundException if the only allowed provider does not serve the model")
  void nobodyServes() {
    var refusal =
        refused(
            NotFoundException.class,
            ResponsesClients.hello(OVER_MESSAGES)
                .putAdditionalBodyProperty(
                    "provider", JsonValue.from(Map.of("only", List.of("chat"))))
                .build());
    assertThat(refusal.getMessage()).contains(OVER_MESSAGES);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("RateLimitException for a rate limit of the upstream")
  void rateLimited(String model) {
    gateway.upstream().answerNextWith(Script.status(429));
    refused(RateLimitException.class, ResponsesClients.hello(model).build());
    assertThat(gateway.upstream().requests()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("InternalServerException for a failing or overloaded upstream")
  void broken(String model) {
    gateway.upstream().answerNextWith(Script.status(500)).answerNextWith(Script.status(529));
    refused(InternalServerException.class, ResponsesClients.hello(model).build());
    refused(InternalServerException.class, ResponsesClients.hello(model).build());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("nothing if a stream breaks after content: its last event reports the failure")
  void brokenStream(String model) {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder().text("one two three four").fault(new ScriptedFault.Cut(2)).build());
    try (StreamResponse<ResponseStreamEvent> stream =
        client.responses().createStreaming(ResponsesClients.hello(model).build())) {
      List<ResponseStreamEvent> events = stream.stream().toList();
      assertThat(events).anyMatch(ResponseStreamEvent::isOutputTextDelta);
      assertThat(events.getLast().isFailed()).isTrue();
      assertThat(events.getLast().asFailed().response().error().orElseThrow().code())
          .isEqualTo(ResponseError.Code.SERVER_ERROR);
    }
  }
}
