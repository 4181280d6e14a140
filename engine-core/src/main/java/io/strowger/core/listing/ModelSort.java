package io.strowger.core.listing;

import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.health.Statistics;
import java.util.Comparator;
import java.util.function.ToLongFunction;

/**
 * In which order models are listed: {@code sort} of {@code GET /models}. What is not known comes
 * last; equal ones stay in the order of the catalog.
 */
final class ModelSort {
  private ModelSort() {}

  /**
   * @param word one of {@link io.strowger.core.resource.ModelList#SORTS}
   */
  static Comparator<ModelEntry> of(String word, Statistics statistics) {
    return switch (word) {
      case "newest" -> falling(ModelEntry::createdSeconds);
      case "price", "pricing-low-to-high" -> rising(ModelSort::price);
      case "pricing-high-to-low" -> falling(ModelSort::price);
      case "context", "context-high-to-low" -> falling(ModelEntry::contextLength);
      case "throughput", "throughput-high-to-low" -> falling(entry -> fastest(entry, statistics));
      case "latency", "latency-low-to-high" -> rising(entry -> soonest(entry, statistics));
      default -> throw new IllegalArgumentException("no such sort: " + word);
    };
  }

  private static Comparator<ModelEntry> rising(ToLongFunction<ModelEntry> figure) {
    return Comparator.comparingLong(figure);
  }

  /** Of what is at least -1, which is what an unknown figure is. */
  private static Comparator<ModelEntry> falling(ToLongFunction<ModelEntry> figure) {
    return Comparator.comparingLong(entry -> -figure.applyAsLong(entry));
  }

  private static long price(ModelEntry entry) {
    return entry.top().blendedPrice();
  }

  private static long fastest(ModelEntry entry, Statistics statistics) {
    return entry.endpoints().stream()
        .mapToLong(endpoint -> statistics.of(endpoint).throughputMicros(Percentile.P50))
        .max()
        .orElse(-1);
  }

  private static long soonest(ModelEntry entry, Statistics statistics) {
    return entry.endpoints().stream()
        .mapToLong(endpoint -> statistics.of(endpoint).latencyMicros(Percentile.P50))
        .filter(micros -> micros >= 0)
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
