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

@DisplayName("Errors of a gateway as Spring AI's")
class ErrorMappingTest {
  private static final Class<? extends RuntimeException> MAY_PASS = TransientAiException.class;
  private static final Class<? extends RuntimeException> STAYS = NonTransientAiException.class;
  private static final Map<ErrorCode, Class<? extends RuntimeException>> TABLE =
      new EnumMap<>(ErrorCode.class);

  static {
    TABLE.put(ErrorCode.INVALID_REQUEST, STAYS);
    TABLE.put(ErrorCode.MODEL_NOT_FOUND, STAYS);
    TABLE.put(ErrorCode.WRONG_ENDPOINT, STAYS);
    TABLE.put(ErrorCode.CONTEXT_LENGTH_EXCEEDED, STAYS);
    TABLE.put(ErrorCode.CONTENT_POLICY_VIOLATION, STAYS);
    TABLE.put(ErrorCode.AUTHENTICATION, STAYS);
    TABLE.put(ErrorCode.PAYMENT_REQUIRED, STAYS);
    TABLE.put(ErrorCode.PERMISSION_DENIED, STAYS);
    TABLE.put(ErrorCode.BUDGET_EXCEEDED, STAYS);
    TABLE.put(ErrorCode.REGION_RESTRICTED, STAYS);
    TABLE.put(ErrorCode.NOT_FOUND, STAYS);
    TABLE.put(ErrorCode.METHOD_NOT_ALLOWED, STAYS);
    TABLE.put(ErrorCode.NO_ENDPOINTS, STAYS);
    TABLE.put(ErrorCode.CONSTRAINT_FILTERED, STAYS);
    TABLE.put(ErrorCode.PRIVACY_RESTRICTED, STAYS);
    TABLE.put(ErrorCode.MODEL_UNAVAILABLE_UPSTREAM, STAYS);
    TABLE.put(ErrorCode.CONFLICT, STAYS);
    TABLE.put(ErrorCode.GONE, STAYS);
    TABLE.put(ErrorCode.PAYLOAD_TOO_LARGE, STAYS);
    TABLE.put(ErrorCode.UNSUPPORTED_MEDIA_TYPE, STAYS);
    TABLE.put(ErrorCode.UNPROCESSABLE, STAYS);
    TABLE.put(ErrorCode.RATE_LIMIT_EXCEEDED, MAY_PASS);
    TABLE.put(ErrorCode.CAPACITY_EXHAUSTED, MAY_PASS);
    TABLE.put(ErrorCode.CLIENT_CLOSED_REQUEST, STAYS);
    TABLE.put(ErrorCode.INTERNAL, MAY_PASS);
    TABLE.put(ErrorCode.PROVIDER_ERROR, MAY_PASS);
    TABLE.put(ErrorCode.UNAVAILABLE, MAY_PASS);
    TABLE.put(ErrorCode.TEMPORARILY_UNAVAILABLE, MAY_PASS);
    TABLE.put(ErrorCode.TIMEOUT, MAY_PASS);
    TABLE.put(ErrorCode.PROVIDER_OVERLOADED, MAY_PASS);
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  @DisplayName("are of the type the table has, with the gateway's as the cause, also in a stream")
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
