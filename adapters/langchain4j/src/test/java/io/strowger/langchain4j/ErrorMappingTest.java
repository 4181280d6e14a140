package io.strowger.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.NonRetriableException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.RetriableException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.internal.RetryUtils;
import dev.langchain4j.model.chat.ChatModel;
import io.strowger.core.client.ChatClient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Errors of a gateway in LangChain4j")
class ErrorMappingTest {
  private static final Map<ErrorCode, Class<? extends LangChain4jException>> TABLE =
      new EnumMap<>(ErrorCode.class);

  static {
    TABLE.put(ErrorCode.INVALID_REQUEST, InvalidRequestException.class);
    TABLE.put(ErrorCode.MODEL_NOT_FOUND, ModelNotFoundException.class);
    TABLE.put(ErrorCode.WRONG_ENDPOINT, InvalidRequestException.class);
    TABLE.put(ErrorCode.CONTEXT_LENGTH_EXCEEDED, InvalidRequestException.class);
    TABLE.put(ErrorCode.CONTENT_POLICY_VIOLATION, ContentFilteredException.class);
    TABLE.put(ErrorCode.AUTHENTICATION, AuthenticationException.class);
    TABLE.put(ErrorCode.PAYMENT_REQUIRED, NonRetriableException.class);
    TABLE.put(ErrorCode.PERMISSION_DENIED, AuthenticationException.class);
    TABLE.put(ErrorCode.BUDGET_EXCEEDED, NonRetriableException.class);
    TABLE.put(ErrorCode.REGION_RESTRICTED, NonRetriableException.class);
    TABLE.put(ErrorCode.NOT_FOUND, InvalidRequestException.class);
    TABLE.put(ErrorCode.METHOD_NOT_ALLOWED, InvalidRequestException.class);
    TABLE.put(ErrorCode.NO_ENDPOINTS, ModelNotFoundException.class);
    TABLE.put(ErrorCode.CONSTRAINT_FILTERED, ModelNotFoundException.class);
    TABLE.put(ErrorCode.PRIVACY_RESTRICTED, ModelNotFoundException.class);
    TABLE.put(ErrorCode.MODEL_UNAVAILABLE_UPSTREAM, ModelNotFoundException.class);
    TABLE.put(ErrorCode.CONFLICT, InvalidRequestException.class);
    TABLE.put(ErrorCode.GONE, InvalidRequestException.class);
    TABLE.put(ErrorCode.PAYLOAD_TOO_LARGE, InvalidRequestException.class);
    TABLE.put(ErrorCode.UNSUPPORTED_MEDIA_TYPE, InvalidRequestException.class);
    TABLE.put(ErrorCode.UNPROCESSABLE, InvalidRequestException.class);
    TABLE.put(ErrorCode.RATE_LIMIT_EXCEEDED, RateLimitException.class);
    TABLE.put(ErrorCode.CAPACITY_EXHAUSTED, RateLimitException.class);
    TABLE.put(ErrorCode.CLIENT_CLOSED_REQUEST, NonRetriableException.class);
    TABLE.put(ErrorCode.INTERNAL, InternalServerException.class);
    TABLE.put(ErrorCode.PROVIDER_ERROR, InternalServerException.class);
    TABLE.put(ErrorCode.UNAVAILABLE, InternalServerException.class);
    TABLE.put(ErrorCode.TEMPORARILY_UNAVAILABLE, InternalServerException.class);
    TABLE.put(ErrorCode.TIMEOUT, TimeoutException.class);
    TABLE.put(ErrorCode.PROVIDER_OVERLOADED, InternalServerException.class);
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  @DisplayName(
      "have the type in the table, with the gateway's exception as the cause, and are retried or"
          + " not")
  void row(ErrorCode code) {
    GatewayException failed = GatewayError.of(code, "it failed").toException();
    var calls = new AtomicInteger();
    ChatModel model =
        StrowgerChatModel.builder(
                new ChatClient(
                    (body, cancellation) -> {
                      calls.incrementAndGet();
                      throw failed;
                    },
                    Runnable::run))
            .build();
    Class<? extends LangChain4jException> type = Objects.requireNonNull(TABLE.get(code));
    assertThatThrownBy(
            () ->
                RetryUtils.retryPolicyBuilder()
                    .maxRetries(1)
                    .delayMillis(1)
                    .build()
                    .withRetry(() -> model.chat("Hi")))
        .isExactlyInstanceOf(type)
        .hasMessage("it failed")
        .hasCause(failed);
    assertThat(calls).hasValue(RetriableException.class.isAssignableFrom(type) ? 2 : 1);
  }
}
