package io.strowger.spi.error;

/**
 * The errors that a caller can receive, each with its HTTP status, whose fault it is, its stable
 * machine-readable type and its default message.
 *
 * <p>Contract: "Errors"; the types and the availability codes are those of the chat and routing
 * fact sheets.
 */
public enum ErrorCode {
  INVALID_REQUEST(400, Blame.CALLER, "invalid_request", "Invalid request parameters"),
  MODEL_NOT_FOUND(400, Blame.CALLER, "invalid_request", "No such model"),
  WRONG_ENDPOINT(400, Blame.CALLER, "invalid_request", "The model cannot be used at this path"),
  CONTEXT_LENGTH_EXCEEDED(
      400, Blame.CALLER, "context_length_exceeded", "The prompt is longer than the context"),
  CONTENT_POLICY_VIOLATION(
      400, Blame.CALLER, "content_policy_violation", "The provider refused the content"),
  AUTHENTICATION(401, Blame.CALLER, "authentication", "Missing Authentication header"),
  PAYMENT_REQUIRED(402, Blame.CALLER, "payment_required", "Insufficient credits"),
  PERMISSION_DENIED(
      403, Blame.CALLER, "permission_denied", "Only management keys can perform this operation"),
  BUDGET_EXCEEDED(403, Blame.CALLER, "permission_denied", "A budget is exceeded"),
  /**
   * The caller's region may not use the model. The gateway itself never returns this code of the
   * contract, because it knows no region of its callers; a plugin may.
   */
  REGION_RESTRICTED(403, Blame.CALLER, "permission_denied", "Not available in this region"),
  NOT_FOUND(404, Blame.CALLER, "not_found", "Resource not found"),
  METHOD_NOT_ALLOWED(405, Blame.CALLER, "invalid_request", "Method not allowed"),
  NO_ENDPOINTS(404, Blame.CALLER, "not_found", "No endpoint can be used"),
  CONSTRAINT_FILTERED(
      404, Blame.CALLER, "not_found", "No endpoint meets the request's constraints"),
  PRIVACY_RESTRICTED(404, Blame.CALLER, "not_found", "No endpoint meets the request's data policy"),
  MODEL_UNAVAILABLE_UPSTREAM(404, Blame.UPSTREAM, "not_found", "Provider returned error"),
  CONFLICT(409, Blame.CALLER, "conflict", "Resource conflict. Please try again later."),
  GONE(410, Blame.CALLER, "not_found", "Resource is no longer available"),
  PAYLOAD_TOO_LARGE(413, Blame.CALLER, "payload_too_large", "Request payload too large"),
  UNSUPPORTED_MEDIA_TYPE(415, Blame.CALLER, "invalid_request", "Unsupported content encoding"),
  UNPROCESSABLE(422, Blame.CALLER, "unprocessable", "Invalid argument"),
  RATE_LIMIT_EXCEEDED(429, Blame.CALLER, "rate_limit_exceeded", "Rate limit exceeded"),
  CAPACITY_EXHAUSTED(429, Blame.UPSTREAM, "rate_limit_exceeded", "Provider returned error"),
  CLIENT_CLOSED_REQUEST(
      499,
      Blame.CALLER,
      "client_closed_request",
      "The client closed its side of the connection before the answer was complete"),
  INTERNAL(500, Blame.ENGINE, "server", "Internal Server Error"),
  PROVIDER_ERROR(502, Blame.UPSTREAM, "provider_unavailable", "Provider returned error"),
  UNAVAILABLE(503, Blame.ENGINE, "provider_overloaded", "Service temporarily unavailable"),
  TEMPORARILY_UNAVAILABLE(
      503, Blame.UPSTREAM, "provider_overloaded", "Service temporarily unavailable"),
  TIMEOUT(524, Blame.UPSTREAM, "timeout", "Request timed out. Please try again later."),
  PROVIDER_OVERLOADED(529, Blame.UPSTREAM, "provider_overloaded", "Provider returned error");

  /** Whose fault an error is. Only an upstream's faults affect the health of an endpoint. */
  public enum Blame {
    CALLER,
    UPSTREAM,
    ENGINE
  }

  private final int status;
  private final Blame blame;
  private final String type;
  private final String message;

  ErrorCode(int status, Blame blame, String type, String message) {
    this.status = status;
    this.blame = blame;
    this.type = type;
    this.message = message;
  }

  /** Returns the HTTP status, which is also {@code error.code} on the wire. */
  public int status() {
    return status;
  }

  public Blame blame() {
    return blame;
  }

  /** Returns the canonical {@code error_type}, the same in every dialect. */
  public String type() {
    return type;
  }

  /** Returns the message to use when nothing more specific is known. */
  public String message() {
    return message;
  }
}
