package io.strowger.core.overload;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A limit on the attempts in flight at one endpoint that adapts to the endpoint's response times,
 * by their gradient: while answers take about as long as usual, the limit grows by a few places at
 * a time, and when they take longer it shrinks in proportion. It shrinks at once when the endpoint
 * reports overload or times out.
 *
 * <p>Two kinds of times are tracked separately: to the first content of a stream, and to the end of
 * an answer that is not streamed. Safe on any thread, without a lock; one of two simultaneous
 * measurements may be lost.
 *
 * @see <a href="https://github.com/Netflix/concurrency-limits">the algorithm, there called
 *     Gradient2</a>
 */
final class AdaptiveLimit {
  private static final int INITIAL = 20;
  private static final int LEAST = 4;
  private static final int GROWTH = 4;
  private static final int WARM_UP = 10;
  private static final double LONG_TERM = 1 / 300.0;
  private static final double TOLERANCE = 1.5;
  private static final double SMOOTHING = 0.2;
  private static final double BACK_OFF = 0.9;
  private static final double RECOVERY = 0.95;

  /** The kind of time that was measured. */
  enum Kind {
    FIRST_CONTENT,
    WHOLE_ANSWER
  }

  /** The usual time of one kind; unknown while there are 0 samples. */
  private record Usual(double nanos, int samples) {
    static final Usual UNKNOWN = new Usual(0, 0);

    Usual with(double time) {
      if (samples < WARM_UP) {
        return new Usual((nanos * samples + time) / (samples + 1), samples + 1);
      }
      double next = nanos + (time - nanos) * LONG_TERM;
      // lowers the average faster when an endpoint that was slow for long is fast again
      return new Usual(next > 2 * time ? next * RECOVERY : next, samples);
    }
  }

  private record State(double limit, Usual firstContent, Usual wholeAnswer) {
    Usual usual(Kind kind) {
      return switch (kind) {
        case FIRST_CONTENT -> firstContent;
        case WHOLE_ANSWER -> wholeAnswer;
      };
    }

    State with(double next, Kind kind, Usual usual) {
      return switch (kind) {
        case FIRST_CONTENT -> new State(next, usual, wholeAnswer);
        case WHOLE_ANSWER -> new State(next, firstContent, usual);
      };
    }
  }

  private final AtomicReference<State> state =
      new AtomicReference<>(new State(INITIAL, Usual.UNKNOWN, Usual.UNKNOWN));

  /** Returns the limit as of now, at least 4. */
  int limit() {
    return (int) state.get().limit();
  }

  /**
   * Records one measurement and adapts the limit.
   *
   * @param nanos the measured time, in nanoseconds
   * @param inFlight how many attempts were in flight
   * @param most the maximum that the limit may reach
   */
  void recordSample(Kind kind, long nanos, int inFlight, int most) {
    State before = state.get();
    double time = Math.max(1, nanos);
    Usual usual = before.usual(kind).with(time);
    double limit = before.limit();
    if (inFlight >= limit / 2) { // otherwise the limit holds no request back
      double gradient = Math.max(0.5, Math.min(1, TOLERANCE * usual.nanos() / time));
      double wanted = limit * gradient + GROWTH;
      limit = bounded(limit * (1 - SMOOTHING) + wanted * SMOOTHING, most);
    }
    state.compareAndSet(before, before.with(limit, kind, usual));
  }

  /** Lowers the limit, because the endpoint reported overload or timed out. */
  void recordOverload(int most) {
    State before = state.get();
    double less = bounded(before.limit() * BACK_OFF, most);
    state.compareAndSet(before, new State(less, before.firstContent(), before.wholeAnswer()));
  }

  private static double bounded(double limit, int most) {
    return Math.min(most, Math.max(LEAST, limit));
  }
}
