package io.strowger.spi.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Counts requests and decides which are admitted. Several gateways share their limits by sharing
 * one.
 *
 * <p>A request counts when it is admitted, whatever becomes of it later; one that is not admitted
 * does not count. With several quotas it counts for all of them or for none. Quotas are those of
 * the subject at that moment: a raised one lets more in at once.
 *
 * <p>Called once or twice per request, on its thread, before anything is spent. Safe on any thread.
 * It is inside every request's latency: one that asks another machine should give up within
 * milliseconds and admit. What it throws fails the request with 500. Contract: "Errors" 429; open
 * question 86. Contract test: {@code RateLimiterContract} in engine-tck.
 */
@FunctionalInterface
public interface RateLimiter {
  /** Admits everybody. */
  RateLimiter NONE = (subject, at) -> Decision.UNLIMITED;

  /**
   * Counts one request, if it may go on.
   *
   * @param at now; never much earlier than in a call before
   */
  Decision admit(RateLimitSubject subject, Instant at);

  /**
   * Whether a request may go on, and how things stand with the quota that has the least left.
   *
   * @param admitted it may
   * @param limit most requests of that quota; -1 when there is no limit
   * @param remaining how many more it has now; 0 when not admitted, -1 when there is no limit
   * @param reset when it will have more: of a request that was not admitted, when one like it may
   *     go on if nobody else asks; the epoch when there is no limit
   */
  record Decision(boolean admitted, long limit, long remaining, Instant reset) {
    /** There is no limit. */
    public static final Decision UNLIMITED = new Decision(true, -1, -1, Instant.EPOCH);

    public Decision {
      Objects.requireNonNull(reset, "reset");
    }

    /** Whole seconds from now until another try makes sense, at least 1. */
    public long retryAfterSeconds(Instant now) {
      Duration wait = Duration.between(now, reset);
      long seconds = wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0);
      return Math.max(1, seconds);
    }
  }
}
