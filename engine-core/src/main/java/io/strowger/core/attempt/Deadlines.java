package io.strowger.core.attempt;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How long things may take; all positive. Contract: "Errors" 524.
 *
 * @param firstContent from the start of an attempt to the first content of a stream
 * @param firstContentPlain the same for an answer that is not streamed, which comes whole as its
 *     first content
 * @param gap between two events once content has come
 * @param total for the whole request
 * @param drip how fast a stream must flow to be let through; null: as it comes
 */
public record Deadlines(
    Duration firstContent,
    Duration firstContentPlain,
    Duration gap,
    Duration total,
    @Nullable SlowStreamGuard drip) {
  private static final int PLAIN_ATTEMPTS = 4;

  public Deadlines {
    Objects.requireNonNull(firstContent, "firstContent");
    Objects.requireNonNull(firstContentPlain, "firstContentPlain");
    Objects.requireNonNull(gap, "gap");
    Objects.requireNonNull(total, "total");
  }

  /** With the usual deadline for answers that are not streamed. */
  public Deadlines(
      Duration firstContent, Duration gap, Duration total, @Nullable SlowStreamGuard drip) {
    this(firstContent, plain(firstContent, total), gap, total, drip);
  }

  /** Without a guard against streams that drip. */
  public Deadlines(Duration firstContent, Duration gap, Duration total) {
    this(firstContent, gap, total, null);
  }

  /**
   * A quarter of the total, so that a provider that hangs leaves time for three others, and at
   * least as much as a stream has.
   */
  private static Duration plain(Duration firstContent, Duration total) {
    Duration quarter = total.dividedBy(PLAIN_ATTEMPTS);
    return firstContent.compareTo(quarter) > 0 ? firstContent : quarter;
  }

  /** For an attempt's first content. */
  Duration firstContent(boolean streaming) {
    return streaming ? firstContent : firstContentPlain;
  }

  /**
   * Whether another attempt can still succeed in what is left of the total: when that is at least
   * what half of the endpoint's requests need to their first content. Of an endpoint nobody has
   * measured a tenth of the time for first content is asked; of one that is slower than any attempt
   * may be, no more than that time. The first attempt of a request is always worth it.
   *
   * @param leftNanos of the total
   * @param usualMicros to the first content, the median; -1 when not known
   */
  boolean allowsAnotherAttempt(long leftNanos, long usualMicros, boolean streaming) {
    long allowed = firstContent(streaming).toNanos();
    long needed = usualMicros < 0 ? allowed / 10 : Math.min(usualMicros * 1000, allowed);
    return leftNanos >= needed;
  }

  /** For sockets: longer than anything watched. */
  public Duration longestSilence() {
    Duration first =
        firstContentPlain.compareTo(firstContent) > 0 ? firstContentPlain : firstContent;
    return (first.compareTo(gap) > 0 ? first : gap).plusSeconds(5);
  }
}
