package io.strowger.core.health;

import io.strowger.spi.error.Failure;

/**
 * Whose fault a failure was, as far as health cares. Contract: "Errors"; provider routing fact
 * sheet, section 3, "Longer-horizon health".
 *
 * <p>Deadlines and cuts that are the caller's or the engine's own do not come here at all: they are
 * abandoned attempts.
 */
enum FailureAttribution {
  /** The endpoint's: counts against its uptime and opens its breaker. */
  ENDPOINT,
  /** The credential is wrong. The gateway's own counts against the uptime, and cools down. */
  CREDENTIAL,
  /** The money or quota behind the credential is used up. As above, for longer. */
  QUOTA,
  /**
   * The credential may not do this here, or not from here. The gateway's own cools down at this
   * endpoint only; a customer's does not, for it may be used elsewhere.
   */
  FORBIDDEN,
  /** The credential was used too often. Cools down at this endpoint only. */
  RATE,
  /** The request's own, or nobody's. */
  NONE;

  private static final int FORBIDDEN_STATUS = 403;

  /**
   * @param customersKey it was not the gateway's own credential: upstreams say that there is no
   *     such model when a credential may not use it, and a customer's must not say so for everybody
   */
  static FailureAttribution of(Failure failure, boolean customersKey) {
    return switch (failure.kind()) {
      case OVERLOADED, UNAVAILABLE, TIMEOUT, PROTOCOL -> ENDPOINT;
      case NOT_FOUND -> customersKey ? NONE : ENDPOINT;
      case CREDENTIAL -> failure.status() == FORBIDDEN_STATUS ? FORBIDDEN : CREDENTIAL;
      case QUOTA -> QUOTA;
      case RATE_LIMITED -> RATE;
      case INVALID_REQUEST, CONTEXT_LENGTH, CONTENT_POLICY, CANCELLED -> NONE;
    };
  }

  /** Whether it counts against the uptime of the endpoint. */
  boolean counts(boolean customersKey) {
    return this == ENDPOINT || !customersKey && (this == CREDENTIAL || this == QUOTA);
  }

  /** How long the credential is not to be used; 0 when nothing is wrong with it. */
  long coolDownNanos(Failure failure, HealthPolicy.CoolDowns policy) {
    return switch (this) {
      case RATE -> {
        long least = policy.shortest().toNanos();
        long most = policy.longest().toNanos();
        yield asked(failure, policy.unsaid().toNanos(), least, most);
      }
      case FORBIDDEN -> policy.longest().toNanos();
      case CREDENTIAL -> policy.credential().toNanos();
      case QUOTA -> {
        long least = policy.quota().toNanos();
        yield asked(failure, least, least, policy.longestQuota().toNanos());
      }
      case ENDPOINT, NONE -> 0;
    };
  }

  private static long asked(Failure failure, long unsaid, long least, long most) {
    long seconds = failure.retryAfterSeconds();
    if (seconds < 0) {
      return unsaid;
    }
    long nanos = seconds > most / 1_000_000_000 ? most : seconds * 1_000_000_000;
    return Math.max(least, nanos);
  }
}
