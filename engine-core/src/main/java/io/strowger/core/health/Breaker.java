package io.strowger.core.health;

import io.strowger.core.health.HealthClock.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps requests away from an endpoint that fails. Closed: all pass. Open: none. Half open: one
 * passes, and what becomes of it decides.
 *
 * <p>The state is one reference, changed by compare-and-set only. A request is given the state it
 * passed under and reports to it: what was sent out before the breaker opened has no say after it
 * closed again. Lock-free.
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

  /** What a request passed under. */
  sealed interface Pass {}

  /**
   * @param window of what happened under it: a probe that succeeded is newer than the failures
   *     before it, so they count no more
   * @param recovered since when, if it was open before
   */
  record Closed(Window window, @Nullable Moment recovered) implements State, Pass {}

  /**
   * @param until the first probe
   */
  record Open(Moment until, long coolDownNanos) implements State {}

  /** A probe is under way; only one at a time is the state. */
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

  /** Successes and failures of the last 30 seconds, to one second. */
  static final class Window {
    private final RollingCount ok = new RollingCount(WINDOW, 30);
    private final RollingCount failed = new RollingCount(WINDOW, 30);
    private final AtomicInteger failedInARow = new AtomicInteger();

    void succeeded(long nanos) {
      ok.add(nanos);
      if (failedInARow.get() != 0) { // a busy endpoint need not write what is written
        failedInARow.set(0);
      }
    }

    /** How many failed in a row. */
    int failed(long nanos) {
      failed.add(nanos);
      return failedInARow.incrementAndGet();
    }

    /** At least so many failures, and more than half of all. */
    boolean isBad(long nanos, int failures) {
      long bad = failed.sum(nanos);
      return bad >= failures && bad > ok.sum(nanos);
    }

    boolean hasFailures(long nanos) {
      return failed.sum(nanos) > 0;
    }

    long nextChange(long nanos) {
      return failed.nextChange(nanos);
    }
  }

  State state() {
    return state.get();
  }

  /** The pass of one request, which must report what became of it; null when it may not go. */
  @Nullable Pass enter(HealthClock time) {
    while (true) {
      State current = state.get();
      Open open;
      switch (current) {
        case Closed closed -> {
          return closed;
        }
        case Open cooling -> {
          if (time.nanos() < cooling.until().nanos()) {
            return null;
          }
          open = cooling;
        }
        case Probe other -> {
          if (time.nanos() < other.deadline) {
            return null;
          }
          open = other.open; // whoever had the permit has vanished
        }
      }
      var probe = new Probe(open, time.nanos() + policy.breaker().permit().toNanos());
      if (state.compareAndSet(current, probe)) {
        return probe;
      }
    }
  }

  /** Content comes: a long answer is not a vanished one. */
  void answering(Pass pass, HealthClock time) {
    if (pass instanceof Probe probe) {
      probe.deadline = time.nanos() + policy.breaker().streamingPermit().toNanos();
    }
  }

  /** Whether this closed it. */
  boolean succeeded(Pass pass, Moment now) {
    return switch (pass) {
      case Closed closed -> {
        closed.window.succeeded(now.nanos());
        yield false;
      }
      case Probe probe -> state.compareAndSet(probe, new Closed(new Window(), now));
    };
  }

  /** Whether this opened it, or keeps it open for longer. */
  boolean failed(Pass pass, Moment now) {
    return switch (pass) {
      case Closed closed -> {
        int inARow = closed.window.failed(now.nanos());
        yield (inARow >= policy.breaker().inARow()
                || closed.window.isBad(now.nanos(), policy.breaker().failures()))
            && state.compareAndSet(closed, opened(now, policy.breaker().coolDown().toNanos()));
      }
      case Probe probe -> {
        long longest = policy.breaker().longestCoolDown().toNanos();
        long next = Math.min(longest, 2 * probe.open.coolDownNanos());
        yield state.compareAndSet(probe, opened(now, next));
      }
    };
  }

  private static Open opened(Moment now, long coolDown) {
    return new Open(now.plus(coolDown), coolDown);
  }

  /**
   * The request ended in a way that says nothing about the endpoint: its permit is free at once.
   * Whether that changed the state.
   */
  boolean releasePermit(Pass pass) {
    return pass instanceof Probe probe && state.compareAndSet(probe, probe.open);
  }
}
