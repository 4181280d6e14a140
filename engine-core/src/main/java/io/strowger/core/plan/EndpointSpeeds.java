package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.PercentilePreferences;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the speed of an endpoint: the measured speed once there are enough samples, and the
 * catalog's assumption before that. Routing fact sheet, section 7, "Performance thresholds".
 */
public final class EndpointSpeeds {
  /** The number of requests in the last five minutes below which the measured speed is not used. */
  static final int MIN_SAMPLES = 20;

  /** The value of a speed that is not known. */
  public static final long UNKNOWN = -1;

  private static final double MICROS = 1e6;
  private static final double MICROS_PER_MILLI = 1e3;

  private EndpointSpeeds() {}

  /** Returns the time to the first token, in microseconds; {@link #UNKNOWN} when not known. */
  public static long latency(
      Endpoint endpoint, EndpointStatistics statistics, Percentile percentile) {
    long micros =
        statistics.samples() < MIN_SAMPLES ? UNKNOWN : statistics.latencyMicros(percentile);
    if (micros != UNKNOWN) {
      return micros;
    }
    double assumption = endpoint.assumedLatencyMs();
    return assumption > 0 ? (long) (assumption * MICROS_PER_MILLI) : UNKNOWN;
  }

  /**
   * Returns the throughput, in millionths of a token per second; {@link #UNKNOWN} when not known.
   */
  static long throughput(Endpoint endpoint, EndpointStatistics statistics, Percentile percentile) {
    long micros =
        statistics.samples() < MIN_SAMPLES ? UNKNOWN : statistics.throughputMicroTokens(percentile);
    if (micros != UNKNOWN) {
      return micros;
    }
    double assumption = endpoint.assumedThroughput();
    return assumption > 0 ? (long) (assumption * MICROS) : UNKNOWN;
  }

  /** Returns whether the latency exceeds the caller's preference; false where it is unknown. */
  static boolean isLatencyTooHigh(
      Endpoint endpoint, EndpointStatistics statistics, PercentilePreferences max) {
    return exceeds(endpoint, statistics, Percentile.P50, max.p50())
        || exceeds(endpoint, statistics, Percentile.P75, max.p75())
        || exceeds(endpoint, statistics, Percentile.P90, max.p90())
        || exceeds(endpoint, statistics, Percentile.P99, max.p99());
  }

  private static boolean exceeds(
      Endpoint endpoint, EndpointStatistics statistics, Percentile percentile, @Nullable Long max) {
    return max != null && latency(endpoint, statistics, percentile) > max;
  }

  /** Returns whether the throughput is below the caller's preference; false where unknown. */
  static boolean isThroughputTooLow(
      Endpoint endpoint, EndpointStatistics statistics, PercentilePreferences min) {
    return isBelow(endpoint, statistics, Percentile.P50, min.p50())
        || isBelow(endpoint, statistics, Percentile.P75, min.p75())
        || isBelow(endpoint, statistics, Percentile.P90, min.p90())
        || isBelow(endpoint, statistics, Percentile.P99, min.p99());
  }

  private static boolean isBelow(
      Endpoint endpoint, EndpointStatistics statistics, Percentile percentile, @Nullable Long min) {
    if (min == null) {
      return false;
    }
    long actual = throughput(endpoint, statistics, percentile);
    return actual != UNKNOWN && actual < min;
  }
}
