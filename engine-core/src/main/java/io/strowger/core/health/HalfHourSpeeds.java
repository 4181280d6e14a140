package io.strowger.core.health;

import io.strowger.core.health.EndpointStatistics.Percentile;
import org.jspecify.annotations.Nullable;

/**
 * The speeds of an endpoint in the last half hour, for people to read; decisions use the last five
 * minutes. Resources fact sheet, section 8.
 */
public final class HalfHourSpeeds {
  /** Speeds without samples. */
  public static final HalfHourSpeeds NONE = new HalfHourSpeeds(null, null);

  private final long @Nullable [] latencies; // by ordinal of Percentile
  private final long @Nullable [] throughputs;

  /**
   * @param latencies by {@link Percentile#ordinal()}, in microseconds; null without samples; not
   *     copied
   * @param throughputs the same in millionths of a token per second
   */
  public HalfHourSpeeds(long @Nullable [] latencies, long @Nullable [] throughputs) {
    this.latencies = latencies;
    this.throughputs = throughputs;
  }

  /** Returns the microseconds to the first content; -1 without samples. */
  public long latencyMicros(Percentile percentile) {
    return latencies == null ? -1 : latencies[percentile.ordinal()];
  }

  /** Returns the millionths of an output token per second; -1 without samples. */
  public long throughputMicros(Percentile percentile) {
    return throughputs == null ? -1 : throughputs[percentile.ordinal()];
  }
}
