package io.strowger.core.attempt;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time limits of a request; all positive. Contract: "Errors" 524.
 *
 * @param firstContent from the start of an attempt to the first content of a stream
 * @param firstContentUnstreamed the same for an answer that is not streamed, which arrives complete
 *     as its first content
 * @param gap the longest wait between two events once content has come
 * @param total for the whole request
 * @param slowStreamGuard the guard against slow streams; null to let streams through as they come
 */
public record Deadlines(
    Duration firstContent,
    Duration firstContentUnstreamed,
    Duration gap,
    Duration total,
    @Nullable SlowStreamGuard slowStreamGuard) {
  private static final int UNSTREAMED_ATTEMPTS = 4;

  /** Creates deadlines with the default time for answers that are not streamed. */
  public Deadlines(
      Duration firstContent,
      Duration gap,
      Duration total,
      @Nullable SlowStreamGuard slowStreamGuard) {
    this(firstContent, defaultUnstreamed(firstContent, total), gap, total, slowStreamGuard);
  }

  /** Creates deadlines without a guard against slow streams. */
  public Deadlines(Duration firstContent, Duration gap, Duration total) {
    this(firstContent, gap, total, null);
  }

  /**
   * Returns a quarter of the total, so that a provider that hangs leaves time for three others, but
   * at least the time for the first content of a stream.
   */
  private static Duration defaultUnstreamed(Duration firstContent, Duration total) {
    Duration quarter = total.dividedBy(UNSTREAMED_ATTEMPTS);
    return firstContent.compareTo(quarter) > 0 ? firstContent : quarter;
  }

  /** Returns the time for an attempt's first content. */
  Duration firstContent(boolean streaming) {
    return streaming ? firstContent : firstContentUnstreamed;
  }

  /**
   * Returns whether another attempt can still succeed in the time that is left. It can when the
   * time is at least the endpoint's median time to first content, or at least the limit for first
   * content if this limit is shorter. For an endpoint without measurements, a tenth of the limit is
   * enough. Not consulted before an attempt has failed.
   *
   * @param leftNanos the rest of the total time, in nanoseconds
   * @param medianMicros the median time to first content, in microseconds; -1 when not known
   */
  boolean allowsAnotherAttempt(long leftNanos, long medianMicros, boolean streaming) {
    long limitNanos = firstContent(streaming).toNanos();
    long requiredNanos =
        medianMicros < 0 ? limitNanos / 10 : Math.min(medianMicros * 1000, limitNanos);
    return leftNanos >= requiredNanos;
  }

  /** Returns the read timeout of sockets, which is longer than every watched wait. */
  public Duration socketReadTimeout() {
    Duration first =
        firstContentUnstreamed.compareTo(firstContent) > 0 ? firstContentUnstreamed : firstContent;
    return (first.compareTo(gap) > 0 ? first : gap).plusSeconds(5);
  }
}
