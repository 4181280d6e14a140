package io.strowger.spi.routing;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a caller wants endpoints to be tried. Provider routing fact sheet, section 4.
 *
 * @param by the measure to sort by; null when the caller leaves that to the gateway
 * @param partition which endpoints are sorted together
 */
public record ProviderSort(@Nullable Key by, Partition partition) {
  /** No preference. */
  public static final ProviderSort NONE = new ProviderSort(null, Partition.MODEL);

  /** The measure by which endpoints are compared. */
  public enum Key {
    /** Cheapest first. */
    PRICE,
    /** Most tokens per second first. */
    THROUGHPUT,
    /** Shortest time to the first token first. */
    LATENCY,
    /** Best at calling tools first. */
    EXACTO
  }

  /** The group of endpoints that is sorted together. */
  public enum Partition {
    /** The endpoints of each model separately, models in the order of the request. */
    MODEL,
    /** The endpoints of all models as one list. */
    NONE
  }

  public ProviderSort {
    Objects.requireNonNull(partition, "partition");
  }
}
