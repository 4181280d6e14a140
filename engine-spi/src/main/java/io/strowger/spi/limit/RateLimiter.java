package io.strowger.spi.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Counts requests and decides which are admitted. Several gateways share their limits by sharing
 * one limiter.
 *
 * <p>A request counts when it is admitted, whatever becomes of it later; one that is not admitted
 * does not count. With several quotas it counts for all of them or for none. The quotas that the
 * subject has in that call apply, so a raised quota takes effect at once.
 *
 * <p>Called once or twice per request, on its thread, before anything is spent. Safe on any thread.
 * A limiter adds to every request's latency: one that asks another machine should give up within
 * milliseconds and admit the request. An exception fails the request with 500. Contract: "Errors"
 * 429; open question 86. Contract test: {@code RateLimiterContract} in engine-tck.
 */
@FunctionalInterface
public interface RateLimiter {
  /** Admits every request. */
  RateLimiter NONE = (subject, at) -> Decision.UNLIMITED;

  /**
   * Counts one request if its quotas allow it.
   *
   * @param at the current time; never much earlier than in a previous call
   */
  Decision admit(RateLimitSubject subject, Instant at);

  /**
   * The decision about one request, with the state of the quota that has the least left.
   *
   * @param admitted whether the request is admitted
   * @param limit the maximum number of requests of that quota; -1 when there is no limit
   * @param remaining requests left in that quota; 0 when not admitted, -1 when there is no limit
   * @param reset when that quota will have more; after a refusal, when the same request will be
   *     admitted if no other comes before; the epoch when there is no limit
   */
  record Decision(boolean admitted, long limit, long remaining, Instant reset) {
    /** The decision when there is no limit. */
    public static final Decision UNLIMITED = new Decision(true, -1, -1, Instant.EPOCH);

    public Decision {
      Objects.requireNonNull(reset, "reset");
    }

    /** Returns the whole seconds from {@code now} until a retry makes sense, at least 1. */
    public long retryAfterSeconds(Instant now) {
      Duration wait = Duration.between(now, reset);
      long seconds = wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0);
      return Math.max(1, seconds);
    }
  }
}
