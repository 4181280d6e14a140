package io.strowger.core.overload;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long a place stays taken, from when there was first a shortage of places until there
 * has been none for a while, so that requests pay no clock for it otherwise. With the number of
 * places this says how soon one becomes free (Little's law). Safe on any thread.
 */
final class ServiceTime {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long CALM = Duration.ofSeconds(10).toNanos();
  private static final long FORGOTTEN = Duration.ofMinutes(1).toNanos();
  private static final long LONGEST_SECONDS = 60;
  private static final int WEIGHT = 8; // of what is known, beside one new measurement

  private final AtomicLong average = new AtomicLong(); // 0: nothing was measured yet
  private volatile boolean measuring;
  private volatile long shortSince;
  private volatile long shortAt;
  private volatile long heardAt; // of a shortage or a measurement

  /** Whether places that are taken now should be measured. */
  boolean isMeasuring() {
    return measuring;
  }

  /** Somebody found no place. */
  void shortage(long now) {
    if (now - heardAt > FORGOTTEN) {
      average.set(0); // what an earlier shortage was like says nothing of this one
      measuring = false; // it may have ended in silence
    }
    if (!measuring) {
      shortSince = now;
      measuring = true;
    }
    shortAt = now;
    heardAt = now;
  }

  /** A place was taken for so long, and is free now. */
  void measured(long nanos, long now) {
    long taken = Math.max(1, nanos);
    long before = average.get();
    average.compareAndSet(before, before == 0 ? taken : before + (taken - before) / WEIGHT);
    heardAt = now;
    if (now - shortAt > CALM) {
      measuring = false;
    }
  }

  /** Returns how long a place stays taken on average, in nanoseconds; 0 when it is not known. */
  long average() {
    return average.get();
  }

  /**
   * Returns when to try again as a {@code Retry-After} header says it.
   *
   * @param ends how many requests must end first
   * @param inFlight how many may end
   * @return whole seconds, rounded up, 1 to 60
   */
  long retryAfterSeconds(long ends, long inFlight, long now) {
    long known = average.get();
    // until a place was measured from beginning to end they last at least as long as the shortage
    double each = known != 0 ? known : measuring ? Math.max(0, now - shortSince) : 0;
    double seconds = Math.ceil(ends * each / Math.max(1, inFlight) / SECOND);
    return (long) Math.min(LONGEST_SECONDS, Math.max(1, seconds));
  }
}
