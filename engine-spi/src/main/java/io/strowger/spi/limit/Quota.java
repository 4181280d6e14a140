package io.strowger.spi.limit;

import java.util.Objects;

/**
 * A maximum number of requests in a window of time.
 *
 * @param per the window of time
 * @param most the maximum number of requests, at least 1
 */
public record Quota(Window per, int most) {
  /** The time in which requests are counted. */
  public enum Window {
    /** Any sixty seconds. */
    MINUTE,
    /** A day of the calendar, from midnight to midnight UTC. */
    DAY
  }

  public Quota {
    Objects.requireNonNull(per, "per");
    if (most < 1) {
      throw new IllegalArgumentException("most must be at least 1, was " + most);
    }
  }
}
