package io.strowger.core.plan;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;

/** Service tiers as bits, and which of them a request admits. Routing fact sheet, section 9. */
final class ServiceTierMask {
  static final int PRIORITY = 1;
  static final int FLEX = 2;
  static final int ALL = PRIORITY | FLEX;

  private ServiceTierMask() {}

  /** Returns the tier of an endpoint as a bit; 0 for the default tier. */
  static int of(Endpoint endpoint) {
    String tier = endpoint.serviceTier();
    return tier == null ? 0 : tier.equals("priority") ? PRIORITY : FLEX;
  }

  /**
   * Returns the tiers the request admits by {@code service_tier} and a variant of the model's name.
   * Asking for the default tier, or listing an order, cancels what a variant would admit.
   *
   * @param variantTiers the tiers a variant of the model's name admits, as bits
   */
  static int admittedTiers(RoutingQuery query, int variantTiers) {
    return switch (query.tier()) {
      case UNSET -> query.preferences().order().isEmpty() ? variantTiers : 0;
      case DEFAULT -> 0;
      case PRIORITY -> PRIORITY | (query.preferences().order().isEmpty() ? variantTiers : 0);
      case FLEX -> FLEX | (query.preferences().order().isEmpty() ? variantTiers : 0);
    };
  }
}
