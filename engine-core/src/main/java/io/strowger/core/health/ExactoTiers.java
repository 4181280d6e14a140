package io.strowger.core.health;

import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.health.EndpointStatistics.Exacto;
import io.strowger.core.health.EndpointStatistics.Percentile;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Rates the endpoints of a model for requests with tools, by how far the throughput and the success
 * rate of tool calls of each are below the median of the model's endpoints. Provider routing fact
 * sheet, section 10, "Auto-exacto". Benchmarks are not used, since the gateway runs none.
 */
final class ExactoTiers {
  /** Factor that turns a median absolute deviation into a standard deviation. */
  private static final double MAD_TO_SIGMA = 1.4826;

  private final HealthPolicy.Exacto policy;

  ExactoTiers(HealthPolicy.Exacto policy) {
    this.policy = policy;
  }

  /** Returns the tier of each endpoint, by its place in the group. */
  Exacto[] of(List<EndpointStatistics> group) {
    var tiers = new Exacto[group.size()];
    double throughputCutoff = cutoff(group, ExactoTiers::throughput, policy.throughputSigmas());
    double toolCutoff = cutoff(group, ExactoTiers::toolSuccess, policy.toolSigmas());
    for (int i = 0; i < tiers.length; i++) {
      EndpointStatistics endpoint = group.get(i);
      if (!hasEnoughData(endpoint)) {
        tiers[i] = Exacto.INSUFFICIENT_DATA;
      } else if (throughput(endpoint) < throughputCutoff
          || toolSuccess(endpoint) < toolCutoff) { // false for NaN
        tiers[i] = Exacto.DEPRIORITIZED;
      } else {
        tiers[i] = Exacto.GOOD;
      }
    }
    return tiers;
  }

  private boolean hasEnoughData(EndpointStatistics endpoint) {
    return endpoint.requests(CountingPeriod.HALF_HOUR) >= policy.requests()
        && endpoint.toolRequests() >= policy.toolRequests();
  }

  private static double throughput(EndpointStatistics endpoint) {
    long micros = endpoint.throughputMicroTokens(Percentile.P50);
    return micros < 0 ? Double.NaN : micros;
  }

  private static double toolSuccess(EndpointStatistics endpoint) {
    return 1 - endpoint.toolErrorRate().orElse(Double.NaN);
  }

  /**
   * Returns the lowest acceptable value; negative infinity when there are too few values, or when
   * the median deviation of the values is 0.
   */
  private double cutoff(
      List<EndpointStatistics> group, ToDoubleFunction<EndpointStatistics> signal, double sigmas) {
    double[] values =
        group.stream()
            .filter(this::hasEnoughData)
            .mapToDouble(signal)
            .filter(value -> !Double.isNaN(value))
            .toArray();
    if (values.length < policy.endpoints()) {
      return Double.NEGATIVE_INFINITY;
    }
    double median = median(values);
    double[] deviations = Arrays.stream(values).map(value -> Math.abs(value - median)).toArray();
    double deviation = median(deviations);
    return deviation == 0 ? Double.NEGATIVE_INFINITY : median - sigmas * MAD_TO_SIGMA * deviation;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
