package io.strowger.core.health;

import io.strowger.core.health.EndpointStatistics.Percentile;
import org.jspecify.annotations.Nullable;

/**
 * The speeds of an endpoint in the last half hour, as shown to people; decisions use the last five
 * minutes. Resources fact sheet, section 8.
 */
public final class HalfHourSpeeds {
  /** Speeds without samples. */
  public static final HalfHourSpeeds NONE = new HalfHourSpeeds(null, null);

  private final long @Nullable [] latencies; // by ordinal of Percentile
  private final long @Nullable [] throughputs;

  /**
   * @param latencies the times to the first content in microseconds, by {@link
   *     Percentile#ordinal()}; null without samples; not copied
   * @param throughputs the throughputs in millionths of a token per second, by {@link
   *     Percentile#ordinal()}; null without samples; not copied
   */
  public HalfHourSpeeds(long @Nullable [] latencies, long @Nullable [] throughputs) {
    this.latencies = latencies;
    this.throughputs = throughputs;
  }

  /** Returns a percentile of the time to the first content in microseconds; -1 without samples. */
  public long latencyMicros(Percentile percentile) {
    return latencies == null ? -1 : latencies[percentile.ordinal()];
  }

  /**
   * Returns a percentile of the throughput in millionths of an output token per second; -1 without
   * samples.
   */
  public long throughputMicroTokens(Percentile percentile) {
    return throughputs == null ? -1 : throughputs[percentile.ordinal()];
  }
}
