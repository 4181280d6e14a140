package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: keeps requests away from an endpoint that fails. When closed, it lets all
 * requests pass; when open, none; when half open, a single probe, whose outcome decides the next
 * state.
 *
 * <p>The state is one reference, changed by compare-and-set only. A request reports its outcome to
 * the state under which it passed, so a request sent before the breaker opened has no effect once
 * the breaker has closed again. Lock-free.
 */
final class Breaker {
  private static final Duration WINDOW = Duration.ofSeconds(30);

  private final HealthPolicy policy;
  private final AtomicReference<State> state;

  Breaker(HealthPolicy policy) {
    this.policy = policy;
    this.state = new AtomicReference<>(new Closed(new Window(), null));
  }

  sealed interface State {}

  /** The state a request passed under, to which it reports its outcome. */
  sealed interface Pass {}

  /**
   * All requests pass.
   *
   * @param window the outcomes reported to this state; initially empty, so failures before a
   *     successful probe no longer count
   * @param recovered when the breaker closed again; null if it was never open
   */
  record Closed(Window window, @Nullable Moment recovered) implements State, Pass {}

  /**
   * No request passes.
   *
   * @param until when the first probe may pass
   * @param coolDownNanos the time from the opening to {@code until}; doubled when the probe fails
   */
  record Open(Moment until, long coolDownNanos) implements State {}

  /** The state while a probe is under way; only one probe runs at a time. */
  static final class Probe implements State, Pass {
    private final Open open;
    private volatile long deadline;

    private Probe(Open open, long deadline) {
      this.open = open;
      this.deadline = deadline;
    }

    Open open() {
      return open;
    }
  }

  /** Successes and failures of the last 30 seconds, accurate to one second. */
  static final class Window {
    private final RollingCount successCounts = new RollingCount(WINDOW, 30);
    private final RollingCount failureCounts = new RollingCount(WINDOW, 30);
    private final AtomicInteger consecutiveFailures = new AtomicInteger();

    void recordSuccess(long nanos) {
      successCounts.add(nanos);
      if (consecutiveFailures.get() != 0) { // avoids a contended write at a busy endpoint
        consecutiveFailures.set(0);
      }
    }

    /** Records a failure and returns the number of consecutive failures. */
    int recordFailure(long nanos) {
      failureCounts.add(nanos);
      return consecutiveFailures.incrementAndGet();
    }

    /** Returns whether there are at least this many failures, and more failures than successes. */
    boolean hasTooManyFailures(long nanos, int minFailures) {
      long failureCount = failureCounts.sum(nanos);
      return failureCount >= minFailures && failureCount > successCounts.sum(nanos);
    }

    boolean hasFailures(long nanos) {
      return failureCounts.sum(nanos) > 0;
    }

    long nextChange(long nanos) {
      return failureCounts.nextChange(nanos);
    }
  }

  State state() {
    return state.get();
  }

  /**
   * Returns the pass of a request, which must report its outcome; null when the request may not be
   * sent.
   */
  @Nullable Pass enter(HealthClock clock) {
    while (true) {
      State current = state.get();
      Open open;
      switch (current) {
        case Closed closed -> {
          return closed;
        }
        case Open openState -> {
          if (clock.nanos() < openState.until().nanos()) {
            return null;
          }
          open = openState;
        }
        case Probe activeProbe -> {
          if (clock.nanos() < activeProbe.deadline) {
            return null;
          }
          open = activeProbe.open; // the earlier probe never reported
        }
      }
      var probe = new Probe(open, clock.nanos() + policy.breaker().probeTimeout().toNanos());
      if (state.compareAndSet(current, probe)) {
        return probe;
      }
    }
  }

  /** Extends a probe's deadline when content arrives, since a long answer is not a lost probe. */
  void extendProbe(Pass pass, HealthClock clock) {
    if (pass instanceof Probe probe) {
      probe.deadline = clock.nanos() + policy.breaker().streamingProbeTimeout().toNanos();
    }
  }

  /** Records a success, and returns whether that closed the breaker. */
  boolean recordSuccess(Pass pass, Moment now) {
    return switch (pass) {
      case Closed closed -> {
        closed.window.recordSuccess(now.nanos());
        yield false;
      }
      case Probe probe -> state.compareAndSet(probe, new Closed(new Window(), now));
    };
  }

  /** Records a failure, and returns whether that opened the breaker or keeps it open for longer. */
  boolean recordFailure(Pass pass, Moment now) {
    return switch (pass) {
      case Closed closed -> {
        int consecutive = closed.window.recordFailure(now.nanos());
        yield (consecutive >= policy.breaker().consecutiveFailures()
                || closed.window.hasTooManyFailures(now.nanos(), policy.breaker().failures()))
            && state.compareAndSet(closed, open(now, policy.breaker().coolDown().toNanos()));
      }
      case Probe probe -> {
        long maxCoolDown = policy.breaker().longestCoolDown().toNanos();
        long coolDown = Math.min(maxCoolDown, 2 * probe.open.coolDownNanos());
        yield state.compareAndSet(probe, open(now, coolDown));
      }
    };
  }

  private static Open open(Moment now, long coolDown) {
    return new Open(now.plus(coolDown), coolDown);
  }

  /**
   * Opens the breaker again for the next probe when a probe's end is no evidence about the
   * endpoint, and returns whether that changed the state. Does nothing for other requests.
   */
  boolean releaseProbe(Pass pass) {
    return pass instanceof Probe probe && state.compareAndSet(probe, probe.open);
  }
}
