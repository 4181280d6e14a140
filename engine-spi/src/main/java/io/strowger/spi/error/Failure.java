package io.strowger.spi.error;

import java.util.Objects;

/**
 * A failure of one attempt at an upstream.
 *
 * @param kind what it means
 * @param status the upstream's HTTP status; 0 when there was none
 * @param retryAfterSeconds what the upstream asked to wait; -1 when it did not say
 * @param message what happened, for logs and for the caller when the caller is at fault; never a
 *     credential
 */
public record Failure(FailureKind kind, int status, long retryAfterSeconds, String message) {
  public Failure {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(message, "message");
  }

  public static Failure of(FailureKind kind, String message) {
    return new Failure(kind, 0, -1, message);
  }

  /**
   * The error a caller gets when this was the only failure. Only messages about the caller's own
   * request are passed on.
   */
  public GatewayError toError() {
    ErrorCode code = kind.code();
    GatewayError error =
        code.blame() == ErrorCode.Blame.CALLER
            ? GatewayError.of(code, message)
            : GatewayError.of(code);
    return retryAfterSeconds < 0 ? error : error.withRetryAfter(retryAfterSeconds);
  }
}
