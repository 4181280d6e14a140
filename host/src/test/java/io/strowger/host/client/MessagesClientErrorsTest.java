package io.strowger.host.client;

import static io.strowger.host.client.LoopbackGateway.OVER_CHAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.anthropic.client.AnthropicClient;
import com.anthropic.core.JsonValue;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.AnthropicException;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.errors.BadRequestException;
import com.anthropic.errors.InternalServerException;
import com.anthropic.errors.NotFoundException;
import com.anthropic.errors.RateLimitException;
import com.anthropic.errors.UnauthorizedException;
import com.anthropic.models.ErrorType;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The client library of the messages format throws")
class MessagesClientErrorsTest {
  private static final String MODELS = "io.strowger.host.client.LoopbackGateway#models";

  private LoopbackGateway gateway;
  private AnthropicClient client;

  @BeforeEach
  void start() throws IOException {
    gateway = new LoopbackGateway();
    client = MessagesClients.client(gateway, LoopbackGateway.KEY);
  }

  @AfterEach
  void stop() {
    client.close();
    gateway.close();
  }

  private <T extends AnthropicServiceException> T refused(
      Class<T> type, MessageCreateParams request) {
    T refusal = catchThrowableOfType(type, () -> client.messages().create(request));
    assertThat(refusal).isNotNull();
    return refusal;
  }

  @Proves("messages.error.authentication")
  @Test
  @DisplayName("UnauthorizedException for a wrong key")
  void wrongKey() {
    client.close();
    client = MessagesClients.client(gateway, "sk-nobody");
    var refusal = refused(UnauthorizedException.class, MessagesClients.hello(OVER_CHAT).build());
    assertThat(refusal.errorType()).contains(ErrorType.AUTHENTICATION_ERROR);
    assertThat(gateway.upstream().requests()).isZero();
  }

  @Proves("messages.error.invalid_request")
  @Test
  @DisplayName("BadRequestException for a bad request, with every problem in the message")
  void badRequest() {
    var refusal =
        refused(
            BadRequestException.class,
            MessagesClients.hello(OVER_CHAT)
                .maxTokens(-1)
                .putAdditionalBodyProperty("temperature", JsonValue.from(3))
                .build());
    assertThat(refusal.errorType()).contains(ErrorType.INVALID_REQUEST_ERROR);
    assertThat(refusal.getMessage()).contains("/temperature", "/max_tokens");
    assertThat(gateway.upstream().requests()).isZero();
  }

  @Proves("messages.error.payment_required")
  @Test
  @DisplayName("a billing error for a key that cannot pay")
  void tooPoor() {
    client.close();
    client = MessagesClients.client(gateway, LoopbackGateway.POOR_KEY);
    var refusal =
        refused(AnthropicServiceException.class, MessagesClients.hello(OVER_CHAT).build());
    assertThat(refusal.statusCode()).isEqualTo(402);
    assertThat(refusal.errorType()).contains(ErrorType.BILLING_ERROR);
    assertThat(gateway.upstream().requests()).isZero();
  }

  @Test
  @DisplayName("BadRequestException for an unknown model, which it names")
  void unknownModel() {
    var refusal = refused(BadRequestException.class, MessagesClients.hello("acme/unknown").build());
    assertThat(refusal.errorType()).contains(ErrorType.INVALID_REQUEST_ERROR);
    assertThat(refusal.getMessage()).contains("acme/unknown");
  }

  @Proves("messages.error.not_found")
  @Test
  @DisplayName("NotFoundException if the only allowed provider does not serve the model")
  void nobodyServes() {
    var refusal =
        refused(
            NotFoundException.class,
            MessagesClients.hello(OVER_CHAT)
                .putAdditionalBodyProperty(
                    "provider", JsonValue.from(Map.of("only", List.of("messages"))))
                .build());
    assertThat(refusal.errorType()).contains(ErrorType.NOT_FOUND_ERROR);
  }

  @Proves("messages.error.rate_limit_exceeded")
  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("RateLimitException for a rate limit of the upstream")
  void rateLimited(String model) {
    gateway.upstream().answerNextWith(Script.status(429));
    var refusal = refused(RateLimitException.class, MessagesClients.hello(model).build());
    assertThat(refusal.errorType()).contains(ErrorType.RATE_LIMIT_ERROR);
  }

  @Proves("messages.error.provider_overloaded")
  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("an overloaded error for an overloaded upstream")
  void overloaded(String model) {
    gateway.upstream().answerNextWith(Script.status(529));
    var refusal = refused(InternalServerException.class, MessagesClients.hello(model).build());
    assertThat(refusal.errorType()).contains(ErrorType.OVERLOADED_ERROR);
  }

  @Proves("messages.error.api_error")
  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("InternalServerException for a failing upstream")
  void broken(String model) {
    gateway.upstream().answerNextWith(Script.status(500));
    var refusal = refused(InternalServerException.class, MessagesClients.hello(model).build());
    assertThat(refusal.errorType()).contains(ErrorType.API_ERROR);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("an error if a stream breaks after content, having delivered that content")
  void brokenStream(String model) {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder().text("one two three four").fault(new ScriptedFault.Cut(2)).build());
    var pieces = new AtomicInteger();
    try (StreamResponse<RawMessageStreamEvent> stream =
        client.messages().createStreaming(MessagesClients.hello(model).build())) {
      var failure =
          catchThrowableOfType(
              AnthropicException.class,
              () ->
                  stream.stream()
                      .filter(RawMessageStreamEvent::isContentBlockDelta)
                      .forEach(piece -> pieces.incrementAndGet()));
      assertThat(failure).isInstanceOf(AnthropicServiceException.class);
      assertThat(((AnthropicServiceException) failure).errorType()).contains(ErrorType.API_ERROR);
    }
    assertThat(pieces).hasPositiveValue();
  }
}
