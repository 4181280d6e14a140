package io.strowger.core.attempt;

import java.time.Duration;
import java.util.Objects;

/**
 * How long things may take; all positive. Contract: "Errors" 524.
 *
 * @param firstContent from the start of an attempt to the first content of a stream
 * @param gap between two events once content has come
 * @param total for the whole request
 */
public record Deadlines(Duration firstContent, Duration gap, Duration total) {
  public Deadlines {
    Objects.requireNonNull(firstContent, "firstContent");
    Objects.requireNonNull(gap, "gap");
    Objects.requireNonNull(total, "total");
  }

  /**
   * For an attempt's first content. An answer that is not streamed comes whole as its first
   * content, so it may take up to half of the total, which leaves as much to another candidate.
   */
  Duration firstContent(boolean streaming) {
    Duration half = total.dividedBy(2);
    return streaming || firstContent.compareTo(half) > 0 ? firstContent : half;
  }

  /** For sockets: longer than anything watched. */
  Duration longestSilence() {
    Duration first = firstContent(false);
    return (first.compareTo(gap) > 0 ? first : gap).plusSeconds(5);
  }
}
