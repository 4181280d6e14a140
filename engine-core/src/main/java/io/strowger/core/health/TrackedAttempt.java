package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import io.strowger.spi.error.Failure;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to one endpoint. Ends exactly once, by {@link #completed}, {@link #failed}
 * or {@link #abandoned}, from any thread; whatever is called after that does nothing. Nothing here
 * waits or takes a lock.
 */
public final class TrackedAttempt {
  private final Health health;
  private final EndpointHealth endpoint;
  private final String provider;
  private final @Nullable String byokKey;
  private final Breaker.Pass pass;
  private final AtomicBoolean answering = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();

  TrackedAttempt(
      Health health,
      EndpointHealth endpoint,
      String provider,
      @Nullable String byokKey,
      Breaker.Pass pass) {
    this.health = health;
    this.endpoint = endpoint;
    this.provider = provider;
    this.byokKey = byokKey;
    this.pass = pass;
  }

  /** Returns whether this is the probe that finds out if the endpoint has recovered. */
  public boolean isProbe() {
    return pass instanceof Breaker.Probe;
  }

  /**
   * Records the first content; only the first call counts.
   *
   * @param sinceDispatchNanos nanoseconds since the attempt began
   */
  public void firstContent(long sinceDispatchNanos) {
    if (ended.get() || answering.getAndSet(true)) {
      return;
    }
    endpoint.firstContent(sinceDispatchNanos, health.timeline().nanos());
    endpoint.breaker.answering(pass, health.timeline());
    health.changed();
  }

  /**
   * Ends the attempt with a complete answer.
   *
   * @param outputTokens the output tokens; 0 when not known, and then no rate is measured
   * @param sinceFirstContentNanos nanoseconds from first content to the end; 0 if not streamed
   * @param calledTools whether it ended with tool calls
   * @param badToolCall whether at least one call was invalid in the caller's judgment: arguments
   *     that are not JSON, or a name the request does not have
   */
  public void completed(
      long outputTokens, long sinceFirstContentNanos, boolean calledTools, boolean badToolCall) {
    if (ended.getAndSet(true)) {
      return;
    }
    Moment now = health.timeline().now();
    endpoint.streamed(outputTokens, sinceFirstContentNanos, now.nanos());
    if (calledTools) {
      endpoint.calledTools(badToolCall, now.nanos());
    }
    boolean closed = endpoint.breaker.succeeded(pass, now);
    endpoint.outcome(true, now.nanos());
    published(closed);
  }

  /**
   * Ends the attempt with a failure, before or after its first content. The failure's kind says
   * whose fault it was; one that is the caller's or nobody's is not recorded.
   */
  public void failed(Failure failure) {
    if (ended.getAndSet(true)) {
      return;
    }
    Moment now = health.timeline().now();
    boolean customersKey = byokKey != null;
    FailureAttribution failureAttribution = FailureAttribution.of(failure, customersKey);
    boolean atOnce =
        failureAttribution == FailureAttribution.ENDPOINT
            ? endpoint.breaker.failed(pass, now)
            : endpoint.breaker.releasePermit(pass);
    if (failureAttribution.counts(customersKey)) {
      endpoint.outcome(false, now.nanos());
    }
    long wait = failureAttribution.coolDownNanos(failure, health.policy().coolDowns());
    if (wait > 0) {
      atOnce |= coolDown(failureAttribution, now.plus(wait), now.nanos());
      endpoint.changed();
    }
    published(atOnce);
  }

  /** Starts a cool-down; returns whether the credential was open, to publish at once. */
  private boolean coolDown(FailureAttribution failureAttribution, Moment until, long nanos) {
    if (byokKey != null) {
      // a BYOK key has no state at an endpoint: what is forbidden here may be allowed elsewhere
      return failureAttribution != FailureAttribution.FORBIDDEN
          && health.credentialCooldowns().close(byokKey, until, nanos);
    }
    return switch (failureAttribution) {
      case CREDENTIAL, QUOTA ->
          health.credentialCooldowns().ofProvider(provider).extend(until, nanos);
      case RATE, FORBIDDEN, ENDPOINT, NONE -> endpoint.coolDown.extend(until, nanos);
    };
  }

  /**
   * Ends an attempt that the caller no longer waits for, or that a deadline of the caller or the
   * engine ended: counts nothing, and gives back the permit of a probe.
   */
  public void abandoned() {
    if (!ended.getAndSet(true)) {
      published(endpoint.breaker.releasePermit(pass));
    }
  }

  private void published(boolean atOnce) {
    if (atOnce) {
      endpoint.changed();
      health.publishNow();
    } else {
      health.changed();
    }
  }
}
