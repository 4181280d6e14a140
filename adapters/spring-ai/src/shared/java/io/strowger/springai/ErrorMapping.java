package io.strowger.springai;

import io.strowger.spi.error.GatewayException;
import org.springframework.ai.retry.NonTransientAiException;
import org.springframework.ai.retry.TransientAiException;

/**
 * Chooses Spring AI's exception for an error of the gateway: a transient one when, and only when,
 * the same request may succeed later.
 */
final class ErrorMapping {
  private ErrorMapping() {}

  /** Returns the exception, with the same message and the gateway's exception as its cause. */
  static RuntimeException toSpringAi(GatewayException failure) {
    String message = failure.error().message();
    return switch (failure.error().code()) {
      case RATE_LIMIT_EXCEEDED,
          CAPACITY_EXHAUSTED,
          TIMEOUT,
          INTERNAL,
          PROVIDER_ERROR,
          UNAVAILABLE,
          TEMPORARILY_UNAVAILABLE,
          PROVIDER_OVERLOADED ->
          new TransientAiException(message, failure);
      case INVALID_REQUEST,
          MODEL_NOT_FOUND,
          WRONG_ENDPOINT,
          CONTEXT_LENGTH_EXCEEDED,
          CONTENT_POLICY_VIOLATION,
          AUTHENTICATION,
          PAYMENT_REQUIRED,
          PERMISSION_DENIED,
          BUDGET_EXCEEDED,
          REGION_RESTRICTED,
          NOT_FOUND,
          METHOD_NOT_ALLOWED,
          NO_ENDPOINTS,
          CONSTRAINT_FILTERED,
          PRIVACY_RESTRICTED,
          MODEL_UNAVAILABLE_UPSTREAM,
          CONFLICT,
          GONE,
          PAYLOAD_TOO_LARGE,
          UNSUPPORTED_MEDIA_TYPE,
          UNPROCESSABLE,
          CLIENT_CLOSED_REQUEST ->
          new NonTransientAiException(message, failure);
    };
  }
}
