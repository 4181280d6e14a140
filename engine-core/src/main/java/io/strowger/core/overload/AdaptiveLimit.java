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
  private static final int MIN_LIMIT = 4;
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
  private record AverageTime(double nanos, int samples) {
    static final AverageTime UNKNOWN = new AverageTime(0, 0);

    AverageTime with(double time) {
      if (samples < WARM_UP) {
        return new AverageTime((nanos * samples + time) / (samples + 1), samples + 1);
      }
      double next = nanos + (time - nanos) * LONG_TERM;
      // lowers the average faster when an endpoint that was slow for long is fast again
      return new AverageTime(next > 2 * time ? next * RECOVERY : next, samples);
    }
  }

  private record State(double limit, AverageTime firstContent, AverageTime wholeAnswer) {
    AverageTime averageTime(Kind kind) {
      return switch (kind) {
        case FIRST_CONTENT -> firstContent;
        case WHOLE_ANSWER -> wholeAnswer;
      };
    }

    State with(double next, Kind kind, AverageTime average) {
      return switch (kind) {
        case FIRST_CONTENT -> new State(next, average, wholeAnswer);
        case WHOLE_ANSWER -> new State(next, firstContent, average);
      };
    }
  }

  private final AtomicReference<State> state =
      new AtomicReference<>(new State(INITIAL, AverageTime.UNKNOWN, AverageTime.UNKNOWN));

  /** Returns the limit as of now, at least 4. */
  int limit() {
    return (int) state.get().limit();
  }

  /**
   * Records one measurement and adapts the limit.
   *
   * @param nanos the measured time, in nanoseconds
   * @param inFlight how many attempts were in flight
   * @param max the maximum that the limit may reach
   */
  void recordSample(Kind kind, long nanos, int inFlight, int max) {
    State current = state.get();
    double time = Math.max(1, nanos);
    AverageTime average = current.averageTime(kind).with(time);
    double limit = current.limit();
    if (inFlight >= limit / 2) { // otherwise the limit holds no request back
      double gradient = Math.max(0.5, Math.min(1, TOLERANCE * average.nanos() / time));
      double target = limit * gradient + GROWTH;
      limit = clamp(limit * (1 - SMOOTHING) + target * SMOOTHING, max);
    }
    state.compareAndSet(current, current.with(limit, kind, average));
  }

  /** Lowers the limit, because the endpoint reported overload or timed out. */
  void recordOverload(int max) {
    State current = state.get();
    double newLimit = clamp(current.limit() * BACK_OFF, max);
    state.compareAndSet(
        current, new State(newLimit, current.firstContent(), current.wholeAnswer()));
  }

  private static double clamp(double limit, int max) {
    return Math.min(max, Math.max(MIN_LIMIT, limit));
  }
}
