package io.strowger.core.plan;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.routing.ProviderSort;
import org.jspecify.annotations.Nullable;

/**
 * The criterion by which the endpoints of a request are sorted. Routing fact sheet, sections 4, 9
 * and 10.
 *
 * <p>The caller's {@code order} takes precedence; then the sort of the request, of a variant of the
 * model's name, of the service tier and of the account, in this order. Without any of them,
 * requests with tools prefer the endpoints that are best at tools; for all other requests,
 * endpoints are drawn at random, weighted by price.
 */
enum Ordering {
  DRAW,
  /** By tool-calling quality tier; drawn at random within a tier. */
  EXACTO,
  PRICE,
  THROUGHPUT,
  LATENCY;

  /**
   * Returns the criterion for a query.
   *
   * @param variant the sort that a variant of the model's name asks for; null for none
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
