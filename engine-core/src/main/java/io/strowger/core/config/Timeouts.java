package io.strowger.core.config;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The time limits of a call and of its attempts at providers; each from a millisecond to a day.
 *
 * @param connect the time limit for establishing the connection
 * @param firstContent the longest time from the start of an attempt to the first content of a
 *     stream
 * @param firstContentUnstreamed the same for an answer that is not streamed, at least as long; null
 *     for the longer of {@code firstContent} and a quarter of the total
 * @param gap the longest time between two pieces of a stream
 * @param total the longest time of the whole call, all attempts together
 * @param slowStreamWindow how long a stream may be held back to measure its speed, at most a
 *     minute; null to hold no stream back
 * @param minTokensPerSecond the speed required in that window, 1 to 1,000 tokens per second
 */
public record Timeouts(
    Duration connect,
    Duration firstContent,
    @Nullable Duration firstContentUnstreamed,
    Duration gap,
    Duration total,
    @Nullable Duration slowStreamWindow,
    int minTokensPerSecond) {
  private static final long MAX_MILLIS = 86_400_000;

  public Timeouts {
    Objects.requireNonNull(connect, "connect");
    Objects.requireNonNull(firstContent, "firstContent");
    Objects.requireNonNull(gap, "gap");
    Objects.requireNonNull(total, "total");
  }

  static Timeouts read(Section in) {
    Duration connect = millis(in, "connect_ms", 2_000);
    Duration firstContent = millis(in, "first_content_ms", 60_000);
    return new Timeouts(
        connect,
        firstContent,
        firstContentUnstreamed(in, firstContent),
        millis(in, "stream_idle_ms", 60_000),
        millis(in, "total_ms", 600_000),
        slowStreamWindow(in),
        in.wholeNumber("drip_tokens_per_second", 1, 1_000, 2));
  }

  private static @Nullable Duration firstContentUnstreamed(Section in, Duration firstContent) {
    Long millis = in.wholeNumber("first_content_plain_ms", 1, MAX_MILLIS);
    if (millis != null && millis < firstContent.toMillis()) {
      in.problem(
          "first_content_plain_ms",
          "must be at least first_content_ms, " + firstContent.toMillis());
    }
    return millis == null ? null : Duration.ofMillis(millis);
  }

  private static @Nullable Duration slowStreamWindow(Section in) {
    Long millis = in.wholeNumber("drip_window_ms", 1, 60_000);
    return millis == null ? null : Duration.ofMillis(millis);
  }

  private static Duration millis(Section in, String name, long fallback) {
    return Duration.ofMillis(in.wholeNumber(name, 1, MAX_MILLIS, fallback));
  }
}
