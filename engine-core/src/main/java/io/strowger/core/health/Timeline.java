package io.strowger.core.health;

import io.strowger.spi.ambient.Ambient;

/** Time as health sees it: measured from when it began, and told to others as the time of day. */
final class Timeline {
  private final Ambient ambient;
  private final long origin;

  /**
   * @param nanos since the timeline began, never negative; what is measured and compared here
   * @param millis the same moment since the epoch; what is published
   */
  record Moment(long nanos, long millis) {
    Moment plus(long moreNanos) {
      return new Moment(nanos + moreNanos, millis + moreNanos / 1_000_000);
    }
  }

  Timeline(Ambient ambient) {
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
