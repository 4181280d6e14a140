package io.strowger.langchain4j;

import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.NonRetriableException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.TimeoutException;
import io.strowger.spi.error.GatewayException;

/**
 * Chooses LangChain4j's exception for an error of the gateway: one that may be retried when, and
 * only when, the same request may succeed later.
 */
final class ErrorMapping {
  private ErrorMapping() {}

  /** Returns the exception, with the same message and the gateway's exception as its cause. */
  static LangChain4jException toLangChain4j(GatewayException failure) {
    String message = failure.error().message();
    return switch (failure.error().code()) {
      case AUTHENTICATION, PERMISSION_DENIED -> new AuthenticationException(message, failure);
      case MODEL_NOT_FOUND,
          NO_ENDPOINTS,
          CONSTRAINT_FILTERED,
          PRIVACY_RESTRICTED,
          MODEL_UNAVAILABLE_UPSTREAM ->
          new ModelNotFoundException(message, failure);
      case CONTENT_POLICY_VIOLATION -> new ContentFilteredException(message, failure);
      case INVALID_REQUEST,
          WRONG_ENDPOINT,
          CONTEXT_LENGTH_EXCEEDED,
          NOT_FOUND,
          METHOD_NOT_ALLOWED,
          CONFLICT,
          GONE,
          PAYLOAD_TOO_LARGE,
          UNSUPPORTED_MEDIA_TYPE,
          UNPROCESSABLE ->
          new InvalidRequestException(message, failure);
      case PAYMENT_REQUIRED, BUDGET_EXCEEDED, REGION_RESTRICTED, CLIENT_CLOSED_REQUEST ->
          new NonRetriableException(message, failure);
      case RATE_LIMIT_EXCEEDED, CAPACITY_EXHAUSTED -> new RateLimitException(message, failure);
      case TIMEOUT -> new TimeoutException(message, failure);
      case INTERNAL, PROVIDER_ERROR, UNAVAILABLE, TEMPORARILY_UNAVAILABLE, PROVIDER_OVERLOADED ->
          new InternalServerException(message, failure);
    };
  }
}
