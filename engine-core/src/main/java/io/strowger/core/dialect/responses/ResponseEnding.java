package io.strowger.core.dialect.responses;

import io.strowger.core.dialect.ErrorBodies;
import io.strowger.core.dialect.ErrorEnvelope;
import io.strowger.core.meter.EndCause;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a response ended. Translation fact sheet, section 2; responses fact sheet, "Response".
 *
 * @param status {@code completed}, {@code incomplete} or {@code failed}
 * @param reason the reason why it is incomplete; null when it is not
 * @param error the error that the response failed with; null when it did not fail
 * @param endedByGateway whether the gateway ended it, in which case no provider is named
 */
record ResponseEnding(
    String status, @Nullable String reason, @Nullable GatewayError error, boolean endedByGateway) {
  private static final String COMPLETED = "completed";
  private static final String MAX_OUTPUT_TOKENS = "max_output_tokens";

  private ResponseEnding(String status, @Nullable String reason, @Nullable GatewayError error) {
    this(status, reason, error, false);
  }

  /**
   * Returns the ending for a stop reason.
   *
   * @param hasRefusal whether the output contains a refusal by the model
   */
  static ResponseEnding of(StopReason reason, boolean hasRefusal) {
    return switch (reason) {
      case END, STOP_SEQUENCE, TOOL_CALLS, PAUSE, COMPACTION ->
          new ResponseEnding(COMPLETED, null, null);
      case LENGTH, CONTEXT_WINDOW -> incomplete(MAX_OUTPUT_TOKENS);
      case CONTENT_FILTER -> incomplete("content_filter");
      case REFUSAL ->
          hasRefusal ? new ResponseEnding(COMPLETED, null, null) : incomplete("content_filter");
      case ERROR -> of(GatewayError.of(ErrorCode.PROVIDER_ERROR));
    };
  }

  /**
   * Returns the ending for an error: incomplete when the input or the output was too long,
   * otherwise failed.
   */
  static ResponseEnding of(GatewayError error) {
    return isTooLong(error)
        ? incomplete(MAX_OUTPUT_TOKENS)
        : new ResponseEnding("failed", null, error);
  }

  /** Returns the ending for a failed answer. */
  static ResponseEnding of(Event.Failed failed) {
    ResponseEnding ending = of(failed.error());
    return EndCause.of(failed) == EndCause.GATEWAY
        ? new ResponseEnding(ending.status, ending.reason, ending.error, true)
        : ending;
  }

  static boolean isTooLong(GatewayError error) {
    return error.code() == ErrorCode.CONTEXT_LENGTH_EXCEEDED;
  }

  private static ResponseEnding incomplete(String reason) {
    return new ResponseEnding("incomplete", reason, null);
  }

  boolean isComplete() {
    return status.equals(COMPLETED);
  }

  /** Returns the {@code error} of the response. */
  Json errorBody() {
    if (error == null) {
      return Json.NULL;
    }
    // the envelope of batches has only a code and a message, and hides internal errors
    Json.Obj body =
        Objects.requireNonNull(
            ErrorBodies.of(ErrorEnvelope.BATCHES, error, null, null).object("error"));
    return body.with("code", Json.of(code(error.code())));
  }

  /** Returns this dialect's code for an error. It has only a few codes. */
  private static String code(ErrorCode code) {
    return switch (code.type()) {
      case "rate_limit_exceeded" -> "rate_limit_exceeded";
      case "invalid_request" -> "invalid_prompt";
      case "content_policy_violation" -> "image_content_policy_violation";
      default -> "server_error";
    };
  }

  /** Returns the {@code incomplete_details} of the response. */
  Json incompleteDetails() {
    return reason == null ? Json.NULL : Json.object().put("reason", reason).build();
  }
}
