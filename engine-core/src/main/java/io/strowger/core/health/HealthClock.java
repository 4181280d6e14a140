package io.strowger.core.health;

import io.strowger.spi.ambient.Ambient;

/**
 * The clock of the health package: measures nanoseconds since it was created and reports moments as
 * epoch milliseconds.
 */
final class HealthClock {
  private final Ambient ambient;
  private final long origin;

  /**
   * A point in time.
   *
   * @param nanos nanoseconds since the clock was created, never negative; used for comparisons
   * @param millis the same point in time in milliseconds since the epoch; used in publications
   */
  record Moment(long nanos, long millis) {
    Moment plus(long moreNanos) {
      return new Moment(nanos + moreNanos, millis + moreNanos / 1_000_000);
    }
  }

  HealthClock(Ambient ambient) {
    this.ambient = ambient;
    this.origin = ambient.nanoTime();
  }

  long nanos() {
    return ambient.nanoTime() - origin;
  }

  Moment now() {
    return new Moment(nanos(), ambient.now().toEpochMilli());
  }
}
