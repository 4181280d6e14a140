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

  /** It finds out whether the endpoint is back. */
  public boolean isProbe() {
    return pass instanceof Breaker.Probe;
  }

  /**
   * The first content came; only the first call counts.
   *
   * @param sinceDispatchNanos from when the attempt began
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
   * The whole answer came.
   *
   * @param outputTokens 0 when not known: no rate is measured then
   * @param sinceFirstContentNanos from first content to the end; 0 when it came as a whole
   * @param calledTools it ended with calls of tools
   * @param badToolCall at least one call was none, as far as the caller judges: arguments that are
   *     not JSON, a name the request does not have
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
   * It failed, before its first content or after it. The failure's kind says whose fault that was;
   * one that is the caller's or nobody's leaves no trace.
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

  /** Whether decisions should know at once, for it was open. */
  private boolean coolDown(FailureAttribution failureAttribution, Moment until, long nanos) {
    if (byokKey != null) {
      // what it may not do here it may do elsewhere: it has no state of its own at an endpoint
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
   * Nobody waits for it any more, or a deadline of the caller's or the engine's own ended it:
   * counts nothing, and gives back the permit of a probe.
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
