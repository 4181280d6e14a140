package io.strowger.conformance.faults;

/**
 * An error of an upstream, with its names in each dialect.
 *
 * @param status the HTTP status of the response
 * @param type the type of the error in the chat and responses dialects
 * @param messagesType its type in the messages dialect
 * @param geminiStatus its status in the gemini dialect
 * @param message its text, in all dialects
 */
record UpstreamError(
    int status, String type, String messagesType, String geminiStatus, String message) {
  /** The text of error messages that callers must not see. */
  static final String SECRET = "boom";

  static final UpstreamError BAD_REQUEST =
      new UpstreamError(
          400,
          "invalid_request_error",
          "invalid_request_error",
          "INVALID_ARGUMENT",
          "temperature: is too hot");
  static final UpstreamError TOO_LONG =
      new UpstreamError(
          400,
          "context_length_exceeded",
          "invalid_request_error",
          "INVALID_ARGUMENT",
          "prompt is too long: it exceeds the maximum number of tokens allowed (8)");
  static final UpstreamError UNSAFE_CONTENT =
      new UpstreamError(
          400,
          "content_filter",
          "invalid_request_error",
          "INVALID_ARGUMENT",
          "Output blocked by content filtering policy");
  static final UpstreamError BAD_KEY =
      new UpstreamError(401, "invalid_api_key", "authentication_error", "UNAUTHENTICATED", SECRET);
  static final UpstreamError FORBIDDEN =
      new UpstreamError(403, "permission_denied", "permission_error", "PERMISSION_DENIED", SECRET);
  static final UpstreamError NO_CREDIT =
      new UpstreamError(402, "insufficient_quota", "billing_error", "RESOURCE_EXHAUSTED", SECRET);
  static final UpstreamError NO_MODEL =
      new UpstreamError(404, "model_not_found", "not_found_error", "NOT_FOUND", SECRET);
  static final UpstreamError RATE_LIMITED =
      new UpstreamError(
          429, "rate_limit_exceeded", "rate_limit_error", "RESOURCE_EXHAUSTED", SECRET);
  static final UpstreamError SERVER_ERROR =
      new UpstreamError(500, "server_error", "api_error", "INTERNAL", SECRET);
  static final UpstreamError OVERLOADED =
      new UpstreamError(503, "server_is_overloaded", "overloaded_error", "UNAVAILABLE", SECRET);
  static final UpstreamError TIMED_OUT =
      new UpstreamError(504, "timeout_error", "timeout_error", "DEADLINE_EXCEEDED", SECRET);
}
