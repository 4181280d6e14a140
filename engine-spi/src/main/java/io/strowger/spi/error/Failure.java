package io.strowger.spi.error;

import java.util.Objects;

/**
 * A failure of one attempt at an upstream.
 *
 * @param kind the kind of the failure
 * @param status the upstream's HTTP status, or the status equivalent to an error inside an answer;
 *     0 when there was none
 * @param retryAfterSeconds the seconds the upstream asked to wait; -1 when it did not say
 * @param message what happened, for logs and for the caller when the caller is at fault; never a
 *     credential; cut at {@value #MAX_MESSAGE_CHARS} characters
 * @param disconnected whether the connection was lost and the upstream gave no reason
 */
public record Failure(
    FailureKind kind, int status, long retryAfterSeconds, String message, boolean disconnected) {
  /** The maximum length of a message in chars; a longer one is cut and ends with three dots. */
  public static final int MAX_MESSAGE_CHARS = 600;

  public Failure {
    Objects.requireNonNull(kind, "kind");
    message = cut(Objects.requireNonNull(message, "message"));
  }

  /** Creates a failure that the upstream reported, or that is evident from what it sent. */
  public Failure(FailureKind kind, int status, long retryAfterSeconds, String message) {
    this(kind, status, retryAfterSeconds, message, false);
  }

  private static String cut(String message) {
    return message.length() <= MAX_MESSAGE_CHARS
        ? message
        : ShortText.withEllipsis(message, MAX_MESSAGE_CHARS - 3);
  }

  public static Failure of(FailureKind kind, String message) {
    return new Failure(kind, 0, -1, message);
  }

  /** Returns a failure that is known only from the loss of the connection. */
  public static Failure ofLostConnection(FailureKind kind, String message) {
    return new Failure(kind, 0, -1, message, true);
  }

  /**
   * Returns the code a caller gets when this was the only failure: that of its kind, but 529 where
   * the upstream itself answered 529. Contract: "Errors"; open question 16.
   */
  public ErrorCode code() {
    return kind == FailureKind.OVERLOADED && status == ErrorCode.PROVIDER_OVERLOADED.status()
        ? ErrorCode.PROVIDER_OVERLOADED
        : kind.code();
  }

  /**
   * Returns the error a caller gets when this was the only failure. Only a message about the
   * caller's own request is passed on.
   */
  public GatewayError toError() {
    ErrorCode code = code();
    GatewayError error =
        code.blame() == ErrorCode.Blame.CALLER
            ? GatewayError.of(code, message)
            : GatewayError.of(code);
    return retryAfterSeconds < 0 ? error : error.withRetryAfter(retryAfterSeconds);
  }
}
