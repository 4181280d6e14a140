package io.strowger.spi.routing;

import org.jspecify.annotations.Nullable;

/**
 * A caller's preferred latency or throughput at some percentiles. Endpoints that miss a preference
 * are tried later, and never excluded. Provider routing fact sheet, section 1.
 *
 * <p>Each in millionths: of a second for latency, of a token per second for throughput. At least 0;
 * null has no wish at that percentile. Finer wishes are rounded down, those beyond the range are
 * {@link Long#MAX_VALUE}.
 *
 * @param p50 the median, also what a caller means who states one number
 */
public record PercentilePreferences(
    @Nullable Long p50, @Nullable Long p75, @Nullable Long p90, @Nullable Long p99) {
  /** No wish. */
  public static final PercentilePreferences NONE =
      new PercentilePreferences(null, null, null, null);

  public PercentilePreferences {
    requireNotNegative(p50);
    requireNotNegative(p75);
    requireNotNegative(p90);
    requireNotNegative(p99);
  }

  private static void requireNotNegative(@Nullable Long micros) {
    if (micros != null && micros < 0) {
      throw new IllegalArgumentException("a cutoff must be at least 0, was " + micros);
    }
  }
}
