package io.strowger.spi.error;

import java.util.Objects;

/**
 * A failure of one attempt at an upstream.
 *
 * @param kind what it means
 * @param status the upstream's HTTP status, or that which its dialect's word for an error inside an
 *     answer stands for; 0 when there was none
 * @param retryAfterSeconds what the upstream asked to wait; -1 when it did not say
 * @param message what happened, for logs and for the caller when the caller is at fault; never a
 *     credential; cut at {@value #MOST_MESSAGE_CHARS} characters
 * @param disconnected the connection was lost, and the upstream did not say why
 */
public record Failure(
    FailureKind kind, int status, long retryAfterSeconds, String message, boolean disconnected) {
  /** Upstreams write some of it: what is longer is cut, with three dots behind it. */
  public static final int MOST_MESSAGE_CHARS = 600;

  public Failure {
    Objects.requireNonNull(kind, "kind");
    message = cut(Objects.requireNonNull(message, "message"));
  }

  /** A failure that the upstream reported, or that shows in what it sent. */
  public Failure(FailureKind kind, int status, long retryAfterSeconds, String message) {
    this(kind, status, retryAfterSeconds, message, false);
  }

  private static String cut(String message) {
    return message.length() <= MOST_MESSAGE_CHARS
        ? message
        : ShortText.withDots(message, MOST_MESSAGE_CHARS - 3);
  }

  public static Failure of(FailureKind kind, String message) {
    return new Failure(kind, 0, -1, message);
  }

  /** A failure that is known only by the connection's being lost. */
  public static Failure ofLostConnection(FailureKind kind, String message) {
    return new Failure(kind, 0, -1, message, true);
  }

  /**
   * Returns what a caller gets when this was the only failure: the code of its kind, but 529 where
   * the upstream itself answered 529. Contract: "Errors"; open question 16.
   */
  public ErrorCode code() {
    return kind == FailureKind.OVERLOADED && status == ErrorCode.PROVIDER_OVERLOADED.status()
        ? ErrorCode.PROVIDER_OVERLOADED
        : kind.code();
  }

  /**
   * The error a caller gets when this was the only failure. Only messages about the caller's own
   * request are passed on.
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
