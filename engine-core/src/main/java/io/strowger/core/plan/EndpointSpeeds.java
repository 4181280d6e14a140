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
  static final int ENOUGH = 20;

  /** The value of a speed that is not known. */
  public static final long UNKNOWN = -1;

  private static final double MICROS = 1e6;
  private static final double MICROS_PER_MILLI = 1e3;

  private EndpointSpeeds() {}

  /** Returns the microseconds to the first token; {@link #UNKNOWN} when not known. */
  public static long latency(
      Endpoint endpoint, EndpointStatistics measured, Percentile percentile) {
    long micros = measured.samples() < ENOUGH ? UNKNOWN : measured.latencyMicros(percentile);
    if (micros != UNKNOWN) {
      return micros;
    }
    double assumed = endpoint.assumedLatencyMs();
    return assumed > 0 ? (long) (assumed * MICROS_PER_MILLI) : UNKNOWN;
  }

  /** Returns the millionths of a token per second; {@link #UNKNOWN} when not known. */
  static long throughput(Endpoint endpoint, EndpointStatistics measured, Percentile percentile) {
    long micros = measured.samples() < ENOUGH ? UNKNOWN : measured.throughputMicros(percentile);
    if (micros != UNKNOWN) {
      return micros;
    }
    double assumed = endpoint.assumedThroughput();
    return assumed > 0 ? (long) (assumed * MICROS) : UNKNOWN;
  }

  /** Returns whether the latency exceeds the caller's preference; false where it is unknown. */
  static boolean tooSlow(
      Endpoint endpoint, EndpointStatistics measured, PercentilePreferences most) {
    return exceeds(endpoint, measured, Percentile.P50, most.p50())
        || exceeds(endpoint, measured, Percentile.P75, most.p75())
        || exceeds(endpoint, measured, Percentile.P90, most.p90())
        || exceeds(endpoint, measured, Percentile.P99, most.p99());
  }

  private static boolean exceeds(
      Endpoint endpoint, EndpointStatistics measured, Percentile percentile, @Nullable Long most) {
    return most != null && latency(endpoint, measured, percentile) > most;
  }

  /** Returns whether the throughput is below the caller's preference; false where unknown. */
  static boolean isThroughputTooLow(
      Endpoint endpoint, EndpointStatistics measured, PercentilePreferences least) {
    return fallsShort(endpoint, measured, Percentile.P50, least.p50())
        || fallsShort(endpoint, measured, Percentile.P75, least.p75())
        || fallsShort(endpoint, measured, Percentile.P90, least.p90())
        || fallsShort(endpoint, measured, Percentile.P99, least.p99());
  }

  private static boolean fallsShort(
      Endpoint endpoint, EndpointStatistics measured, Percentile percentile, @Nullable Long least) {
    if (least == null) {
      return false;
    }
    long reached = throughput(endpoint, measured, percentile);
    return reached != UNKNOWN && reached < least;
  }
}
