package io.strowger.core.overload;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long a place stays taken. Measuring begins with a shortage of places and ends some
 * time after the last shortage; outside of these times requests read no clock. The average and the
 * number of requests in flight tell how soon a place becomes free (Little's law). Safe on any
 * thread.
 */
final class ServiceTime {
  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long CALM_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long EXPIRY_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long MAX_SECONDS = 60;
  private static final int WEIGHT = 8; // a new measurement counts for one eighth

  private final AtomicLong average = new AtomicLong(); // 0: nothing was measured yet
  private volatile boolean measuring;
  private volatile long shortageSince; // the first shortage since measuring began
  private volatile long lastShortageAt; // the last shortage
  private volatile long lastEventAt; // the last shortage or measurement, whichever is later

  /** Returns whether places that are taken now should be measured. */
  boolean isMeasuring() {
    return measuring;
  }

  /** Records that a request found no place. */
  void recordShortage(long now) {
    if (now - lastEventAt > EXPIRY_NANOS) {
      average.set(0); // the average of an earlier shortage does not apply to this one
      measuring = false; // the earlier shortage may have ended unnoticed
    }
    if (!measuring) {
      shortageSince = now;
      measuring = true;
    }
    lastShortageAt = now;
    lastEventAt = now;
  }

  /** Records that a place became free after it was taken for this many nanoseconds. */
  void recordDuration(long nanos, long now) {
    long duration = Math.max(1, nanos);
    long previous = average.get();
    average.compareAndSet(
        previous, previous == 0 ? duration : previous + (duration - previous) / WEIGHT);
    lastEventAt = now;
    if (now - lastShortageAt > CALM_NANOS) {
      measuring = false;
    }
  }

  /** Returns how long a place stays taken on average, in nanoseconds; 0 when it is not known. */
  long average() {
    return average.get();
  }

  /**
   * Returns the number of seconds for a {@code Retry-After} header.
   *
   * @param endings how many requests must end first
   * @param inFlight how many requests are in flight
   * @return whole seconds, rounded up, 1 to 60
   */
  long retryAfterSeconds(long endings, long inFlight, long now) {
    long averageNanos = average.get();
    // until one measurement is complete, the age of the shortage is used instead
    double perRequest =
        averageNanos != 0 ? averageNanos : measuring ? Math.max(0, now - shortageSince) : 0;
    double seconds = Math.ceil(endings * perRequest / Math.max(1, inFlight) / SECOND_NANOS);
    return (long) Math.min(MAX_SECONDS, Math.max(1, seconds));
  }
}
