package io.strowger.spi.routing;

import org.jspecify.annotations.Nullable;

/**
 * A caller's preferred latency or throughput at some percentiles. Endpoints that miss a preference
 * are tried later, and never excluded. Provider routing fact sheet, section 1.
 *
 * <p>Each value is in millionths of a second for latency, or of a token per second for throughput;
 * at least 0, null for no preference. Finer values are rounded down, values out of range become
 * {@link Long#MAX_VALUE}.
 *
 * @param p50 the median; also set when the caller states a single number
 */
public record PercentilePreferences(
    @Nullable Long p50, @Nullable Long p75, @Nullable Long p90, @Nullable Long p99) {
  /** No preference. */
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
