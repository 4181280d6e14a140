package io.strowger.core.config;

import java.time.Duration;
import java.util.Objects;

/**
 * Deadlines of a call to a provider; each from a millisecond to a day.
 *
 * @param connect until the connection stands
 * @param firstContent from sending the request to the first piece of content
 * @param gap between two pieces of a stream
 * @param total from start to end, all attempts together
 */
public record Timeouts(Duration connect, Duration firstContent, Duration gap, Duration total) {
  public Timeouts {
    Objects.requireNonNull(connect, "connect");
    Objects.requireNonNull(firstContent, "firstContent");
    Objects.requireNonNull(gap, "gap");
    Objects.requireNonNull(total, "total");
  }

  static Timeouts read(Section in) {
    return new Timeouts(
        millis(in, "connect_ms", 2_000),
        millis(in, "first_content_ms", 60_000),
        millis(in, "stream_idle_ms", 60_000),
        millis(in, "total_ms", 600_000));
  }

  private static Duration millis(Section in, String name, long fallback) {
    return Duration.ofMillis(in.whole(name, 1, 86_400_000, fallback));
  }
}
