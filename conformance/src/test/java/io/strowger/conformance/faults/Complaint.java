package io.strowger.conformance.faults;

/**
 * What upstreams refuse requests for, as each of them says it.
 *
 * @param status of the response
 * @param type the word upstreams of the chat and responses dialects have for it
 * @param messagesType the word of the messages dialect
 * @param geminiStatus the word of the gemini dialect
 */
record Complaint(
    int status, String type, String messagesType, String geminiStatus, String message) {
  /** Stands in messages that callers must not see. */
  static final String SECRET = "boom";

  static final Complaint BAD_REQUEST =
      new Complaint(
          400,
          "invalid_request_error",
          "invalid_request_error",
          "INVALID_ARGUMENT",
          "temperature: is too hot");
  static final Complaint TOO_LONG =
      new Complaint(
          400,
          "context_length_exceeded",
          "invalid_request_error",
          "INVALID_ARGUMENT",
          "prompt is too long: it exceeds the maximum number of tokens allowed (8)");
  static final Complaint UNSAFE =
      new Complaint(
          400,
          "content_filter",
          "invalid_request_error",
          "INVALID_ARGUMENT",
          "Output blocked by content filtering policy");
  static final Complaint BAD_KEY =
      new Complaint(401, "invalid_api_key", "authentication_error", "UNAUTHENTICATED", SECRET);
  static final Complaint FORBIDDEN =
      new Complaint(403, "permission_denied", "permission_error", "PERMISSION_DENIED", SECRET);
  static final Complaint POOR =
      new Complaint(402, "insufficient_quota", "billing_error", "RESOURCE_EXHAUSTED", SECRET);
  static final Complaint NO_MODEL =
      new Complaint(404, "model_not_found", "not_found_error", "NOT_FOUND", SECRET);
  static final Complaint LIMITED =
      new Complaint(429, "rate_limit_exceeded", "rate_limit_error", "RESOURCE_EXHAUSTED", SECRET);
  static final Complaint BROKEN =
      new Complaint(500, "server_error", "api_error", "INTERNAL", SECRET);
  static final Complaint OVERLOADED =
      new Complaint(503, "server_is_overloaded", "overloaded_error", "UNAVAILABLE", SECRET);
  static final Complaint LATE =
      new Complaint(504, "timeout_error", "timeout_error", "DEADLINE_EXCEEDED", SECRET);
}
