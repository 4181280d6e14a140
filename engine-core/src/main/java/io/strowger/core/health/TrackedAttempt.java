package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import io.strowger.spi.error.Failure;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to one endpoint. Ends exactly once, by {@link #completed}, {@link #failed}
 * or {@link #abandoned}, on any thread; later calls do nothing. No method waits or takes a lock.
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

  /** Returns whether this attempt is the probe of whether the endpoint has recovered. */
  public boolean isProbe() {
    return pass instanceof Breaker.Probe;
  }

  /**
   * Records the first content. Only the first call has an effect.
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
   * @param outputTokens the output tokens; 0 when unknown, and then no throughput is recorded
   * @param sinceFirstContentNanos nanoseconds from first content to the end; 0 if not streamed
   * @param calledTools whether it ended with tool calls
   * @param badToolCall whether at least one tool call was invalid: its arguments are not JSON, or
   *     the request has no tool of its name
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
   * Ends the attempt with a failure, before or after its first content. The failure's kind
   * determines whose fault it was; failures that are the fault of the caller or of nobody are not
   * recorded.
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

  /**
   * Starts a cool-down, and returns whether the credential was usable before, so that the change
   * must be published at once.
   */
  private boolean coolDown(FailureAttribution failureAttribution, Moment until, long nanos) {
    if (byokKey != null) {
      // a BYOK key has no cool-down at a single endpoint, and a key that is forbidden here may be
      // allowed elsewhere
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
   * engine ended: records no outcome, and releases the permit of a probe.
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
