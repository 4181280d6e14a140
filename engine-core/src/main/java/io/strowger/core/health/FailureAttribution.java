package io.strowger.core.health;

import io.strowger.spi.error.Failure;

/**
 * Attributes a failure to the endpoint, the credential or neither, for health. Contract: "Errors";
 * provider routing fact sheet, section 3, "Longer-horizon health".
 *
 * <p>Deadlines and cancellations by the caller or the engine are not attributed at all: they are
 * abandoned attempts.
 */
enum FailureAttribution {
  /** The endpoint is at fault: the failure counts against its uptime and can open its breaker. */
  ENDPOINT,
  /** The credential is wrong. It cools down; the gateway's own also counts against the uptime. */
  CREDENTIAL,
  /**
   * The money or quota of the credential is used up. Has the same effects as {@link #CREDENTIAL},
   * for longer.
   */
  QUOTA,
  /**
   * The credential is not allowed to use this endpoint, or not from this place. The gateway's
   * credential cools down at this endpoint only; a BYOK key does not cool down, because it may be
   * allowed at other endpoints.
   */
  FORBIDDEN,
  /**
   * A rate limit was reached. The gateway's credential cools down at this endpoint, a BYOK key
   * everywhere.
   */
  RATE_LIMIT,
  /** The request or a BYOK key without the model is at fault, or the failure was a cancellation. */
  NONE;

  private static final int FORBIDDEN_STATUS = 403;

  /**
   * Attributes a failure.
   *
   * @param usesByokKey whether a BYOK key was used: upstreams report an unknown model when the key
   *     is not allowed to use the model, which must not count against the endpoint for other
   *     callers
   */
  static FailureAttribution of(Failure failure, boolean usesByokKey) {
    return switch (failure.kind()) {
      case OVERLOADED, UNAVAILABLE, TIMEOUT, PROTOCOL -> ENDPOINT;
      case NOT_FOUND -> usesByokKey ? NONE : ENDPOINT;
      case CREDENTIAL -> failure.status() == FORBIDDEN_STATUS ? FORBIDDEN : CREDENTIAL;
      case QUOTA -> QUOTA;
      case RATE_LIMITED -> RATE_LIMIT;
      case INVALID_REQUEST, CONTEXT_LENGTH, CONTENT_POLICY, CANCELLED -> NONE;
    };
  }

  /** Returns whether the failure counts against the uptime of the endpoint. */
  boolean countsAgainstUptime(boolean usesByokKey) {
    return this == ENDPOINT || !usesByokKey && (this == CREDENTIAL || this == QUOTA);
  }

  /**
   * Returns the cool-down of the credential in nanoseconds; 0 when the credential is not at fault.
   */
  long coolDownNanos(Failure failure, HealthPolicy.CoolDowns policy) {
    return switch (this) {
      case RATE_LIMIT -> {
        long min = policy.shortest().toNanos();
        long max = policy.longest().toNanos();
        yield requestedWait(failure, policy.defaultRateLimit().toNanos(), min, max);
      }
      case FORBIDDEN -> policy.longest().toNanos();
      case CREDENTIAL -> policy.credential().toNanos();
      case QUOTA -> {
        long min = policy.quota().toNanos();
        yield requestedWait(failure, min, min, policy.longestQuota().toNanos());
      }
      case ENDPOINT, NONE -> 0;
    };
  }

  private static long requestedWait(Failure failure, long defaultWait, long min, long max) {
    long seconds = failure.retryAfterSeconds();
    if (seconds < 0) {
      return defaultWait;
    }
    long nanos = seconds > max / 1_000_000_000 ? max : seconds * 1_000_000_000;
    return Math.max(min, nanos);
  }
}
