package io.strowger.core.attempt;

import java.time.Duration;
import java.util.Objects;

/**
 * How long things may take; all positive. Contract: "Errors" 524.
 *
 * @param firstContent from the start of an attempt to its first content
 * @param gap between two events once content has come
 * @param total for the whole request
 */
public record Deadlines(Duration firstContent, Duration gap, Duration total) {
  public Deadlines {
    Objects.requireNonNull(firstContent, "firstContent");
    Objects.requireNonNull(gap, "gap");
    Objects.requireNonNull(total, "total");
  }

  /** For sockets: longer than anything watched. */
  Duration longestSilence() {
    Duration longest = firstContent.compareTo(gap) > 0 ? firstContent : gap;
    return longest.plusSeconds(5);
  }
}
