package io.strowger.core.plan;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.routing.ProviderSort;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoints of a request are sorted by. Routing fact sheet, sections 4, 9 and 10.
 *
 * <p>The caller's {@code order} beats everything; then what the request sorts by, what the name of
 * the model sorts by, what its service tier sorts by, what the account sorts by; then requests with
 * tools get the endpoints best at them; all others are drawn at random by price.
 */
enum Ordering {
  DRAW,
  /** By tier of quality; within a tier, drawn at random. */
  EXACTO,
  PRICE,
  THROUGHPUT,
  LATENCY;

  /**
   * @param variant what the name of the model sorts by; null when it says nothing
   */
  static Ordering of(RoutingQuery query, ProviderSort.@Nullable Key variant) {
    if (!query.preferences().order().isEmpty()) {
      return DRAW;
    }
    ProviderSort.Key key = query.preferences().sort().by();
    if (key == null) {
      key = variant != null ? variant : byTier(query.tier());
    }
    if (key == null) {
      key = query.account().defaultSort();
    }
    if (key != null) {
      return of(key);
    }
    return (query.parameters() & Parameter.TOOLS.bit()) != 0 ? EXACTO : DRAW;
  }

  private static Ordering of(ProviderSort.Key key) {
    return switch (key) {
      case PRICE -> PRICE;
      case THROUGHPUT -> THROUGHPUT;
      case LATENCY -> LATENCY;
      case EXACTO -> EXACTO;
    };
  }

  private static ProviderSort.@Nullable Key byTier(ServiceTier tier) {
    return switch (tier) {
      case UNSET, DEFAULT -> null;
      case PRIORITY -> ProviderSort.Key.THROUGHPUT;
      case FLEX -> ProviderSort.Key.PRICE;
    };
  }

  /** Returns whether endpoints are sorted by a figure alone, without a random draw. */
  boolean isSort() {
    return switch (this) {
      case DRAW, EXACTO -> false;
      case PRICE, THROUGHPUT, LATENCY -> true;
    };
  }
}
