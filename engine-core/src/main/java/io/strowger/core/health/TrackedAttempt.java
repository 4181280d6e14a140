package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import io.strowger.spi.error.Failure;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to one endpoint. Ends exactly once, by {@link #complete}, {@link #fail} or
 * {@link #abandon}, on any thread; later calls do nothing. No method waits or takes a lock.
 */
public final class TrackedAttempt {
  private final Health health;
  private final EndpointHealth endpoint;
  private final String provider;
  private final @Nullable String byokKey;
  private final Breaker.Pass pass;
  private final AtomicBoolean hasContent = new AtomicBoolean();
  private final AtomicBoolean hasEnded = new AtomicBoolean();

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

  /** Returns whether this attempt is the probe that shows whether the endpoint has recovered. */
  public boolean isProbe() {
    return pass instanceof Breaker.Probe;
  }

  /**
   * Records the first content. Only the first call has an effect.
   *
   * @param sinceDispatchNanos nanoseconds since the attempt began
   */
  public void recordFirstContent(long sinceDispatchNanos) {
    if (hasEnded.get() || hasContent.getAndSet(true)) {
      return;
    }
    endpoint.recordFirstContent(sinceDispatchNanos, health.clock().nanos());
    endpoint.breaker.extendProbe(pass, health.clock());
    health.markChanged();
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
  public void complete(
      long outputTokens, long sinceFirstContentNanos, boolean calledTools, boolean badToolCall) {
    if (hasEnded.getAndSet(true)) {
      return;
    }
    Moment now = health.clock().now();
    endpoint.recordThroughput(outputTokens, sinceFirstContentNanos, now.nanos());
    if (calledTools) {
      endpoint.recordToolCalls(badToolCall, now.nanos());
    }
    boolean isClosed = endpoint.breaker.recordSuccess(pass, now);
    endpoint.recordOutcome(true, now.nanos());
    publish(isClosed);
  }

  /**
   * Ends the attempt with a failure, before or after its first content. The failure's kind
   * determines whose fault it was; failures that are the fault of the caller or of nobody are not
   * recorded.
   */
  public void fail(Failure failure) {
    if (hasEnded.getAndSet(true)) {
      return;
    }
    Moment now = health.clock().now();
    boolean usesByokKey = byokKey != null;
    FailureAttribution attribution = FailureAttribution.of(failure, usesByokKey);
    boolean publishAtOnce =
        attribution == FailureAttribution.ENDPOINT
            ? endpoint.breaker.recordFailure(pass, now)
            : endpoint.breaker.releaseProbe(pass);
    if (attribution.countsAgainstUptime(usesByokKey)) {
      endpoint.recordOutcome(false, now.nanos());
    }
    long wait = attribution.coolDownNanos(failure, health.policy().coolDowns());
    if (wait > 0) {
      publishAtOnce |= startCoolDown(attribution, now.plus(wait), now.nanos());
      endpoint.markChanged();
    }
    publish(publishAtOnce);
  }

  /**
   * Starts a cool-down, and returns whether the credential was usable before, so that the change
   * must be published at once.
   */
  private boolean startCoolDown(FailureAttribution attribution, Moment until, long nanos) {
    if (byokKey != null) {
      // a BYOK key has no cool-down at a single endpoint, and a key that is forbidden here may be
      // allowed elsewhere
      return attribution != FailureAttribution.FORBIDDEN
          && health.credentialCooldowns().block(byokKey, until, nanos);
    }
    return switch (attribution) {
      case CREDENTIAL, QUOTA ->
          health.credentialCooldowns().getOrCreateCooldown(provider).extend(until, nanos);
      case RATE_LIMIT, FORBIDDEN, ENDPOINT, NONE -> endpoint.coolDown.extend(until, nanos);
    };
  }

  /**
   * Ends an attempt that the caller no longer waits for, or that a deadline of the caller or the
   * engine ended: records no outcome, and releases the permit of a probe.
   */
  public void abandon() {
    if (!hasEnded.getAndSet(true)) {
      publish(endpoint.breaker.releaseProbe(pass));
    }
  }

  private void publish(boolean publishAtOnce) {
    if (publishAtOnce) {
      endpoint.markChanged();
      health.publishNow();
    } else {
      health.markChanged();
    }
  }
}
