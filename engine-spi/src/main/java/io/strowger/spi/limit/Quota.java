package io.strowger.spi.limit;

import java.util.Objects;

/**
 * A maximum number of requests in a window of time.
 *
 * @param window the window of time
 * @param maxRequests the maximum number of requests, at least 1
 */
public record Quota(Window window, int maxRequests) {
  /** The time in which requests are counted. */
  public enum Window {
    /** Any sixty seconds. */
    MINUTE,
    /** A day of the calendar, from midnight to midnight UTC. */
    DAY
  }

  public Quota {
    Objects.requireNonNull(window, "window");
    if (maxRequests < 1) {
      throw new IllegalArgumentException("maxRequests must be at least 1, was " + maxRequests);
    }
  }
}
