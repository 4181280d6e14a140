package io.strowger.springai;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.client.ChatClient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.retry.NonTransientAiException;
import org.springframework.ai.retry.TransientAiException;

@DisplayName("Errors of a gateway in Spring AI")
class ErrorMappingTest {
  private static final Class<? extends RuntimeException> TRANSIENT = TransientAiException.class;
  private static final Class<? extends RuntimeException> PERMANENT = NonTransientAiException.class;
  private static final Map<ErrorCode, Class<? extends RuntimeException>> TABLE =
      new EnumMap<>(ErrorCode.class);

  static {
    TABLE.put(ErrorCode.INVALID_REQUEST, PERMANENT);
    TABLE.put(ErrorCode.MODEL_NOT_FOUND, PERMANENT);
    TABLE.put(ErrorCode.WRONG_ENDPOINT, PERMANENT);
    TABLE.put(ErrorCode.CONTEXT_LENGTH_EXCEEDED, PERMANENT);
    TABLE.put(ErrorCode.CONTENT_POLICY_VIOLATION, PERMANENT);
    TABLE.put(ErrorCode.AUTHENTICATION, PERMANENT);
    TABLE.put(ErrorCode.PAYMENT_REQUIRED, PERMANENT);
    TABLE.put(ErrorCode.PERMISSION_DENIED, PERMANENT);
    TABLE.put(ErrorCode.BUDGET_EXCEEDED, PERMANENT);
    TABLE.put(ErrorCode.REGION_RESTRICTED, PERMANENT);
    TABLE.put(ErrorCode.NOT_FOUND, PERMANENT);
    TABLE.put(ErrorCode.METHOD_NOT_ALLOWED, PERMANENT);
    TABLE.put(ErrorCode.NO_ENDPOINTS, PERMANENT);
    TABLE.put(ErrorCode.CONSTRAINT_FILTERED, PERMANENT);
    TABLE.put(ErrorCode.PRIVACY_RESTRICTED, PERMANENT);
    TABLE.put(ErrorCode.MODEL_UNAVAILABLE_UPSTREAM, PERMANENT);
    TABLE.put(ErrorCode.CONFLICT, PERMANENT);
    TABLE.put(ErrorCode.GONE, PERMANENT);
    TABLE.put(ErrorCode.PAYLOAD_TOO_LARGE, PERMANENT);
    TABLE.put(ErrorCode.UNSUPPORTED_MEDIA_TYPE, PERMANENT);
    TABLE.put(ErrorCode.UNPROCESSABLE, PERMANENT);
    TABLE.put(ErrorCode.RATE_LIMIT_EXCEEDED, TRANSIENT);
    TABLE.put(ErrorCode.CAPACITY_EXHAUSTED, TRANSIENT);
    TABLE.put(ErrorCode.CLIENT_CLOSED_REQUEST, PERMANENT);
    TABLE.put(ErrorCode.INTERNAL, TRANSIENT);
    TABLE.put(ErrorCode.PROVIDER_ERROR, TRANSIENT);
    TABLE.put(ErrorCode.UNAVAILABLE, TRANSIENT);
    TABLE.put(ErrorCode.TEMPORARILY_UNAVAILABLE, TRANSIENT);
    TABLE.put(ErrorCode.TIMEOUT, TRANSIENT);
    TABLE.put(ErrorCode.PROVIDER_OVERLOADED, TRANSIENT);
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  @DisplayName(
      "have the type in the table, with the gateway's exception as the cause, also in a stream")
  void row(ErrorCode code) {
    GatewayException failed = GatewayError.of(code, "it failed").toException();
    ChatModel model =
        StrowgerChatModel.builder(
                new ChatClient(
                    (body, cancellation) -> {
                      throw failed;
                    },
                    Runnable::run))
            .build();
    Class<? extends RuntimeException> type = Objects.requireNonNull(TABLE.get(code));
    assertThatThrownBy(() -> model.call(new Prompt("Hi")))
        .isExactlyInstanceOf(type)
        .hasMessage("it failed")
        .hasCause(failed);
    assertThatThrownBy(() -> model.stream(new Prompt("Hi")).blockLast())
        .isExactlyInstanceOf(type)
        .hasCause(failed);
  }
}
