package io.strowger.core.plan;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.spi.catalog.Endpoint;

/** Service tiers as bits, and which of them a request admits. Routing fact sheet, section 9. */
final class ServiceTierMask {
  static final int PRIORITY = 1;
  static final int FLEX = 2;
  static final int ALL = PRIORITY | FLEX;

  private ServiceTierMask() {}

  /** The tier of an endpoint as a bit; 0 for the plain one. */
  static int of(Endpoint endpoint) {
    String tier = endpoint.serviceTier();
    return tier == null ? 0 : tier.equals("priority") ? PRIORITY : FLEX;
  }

  /**
   * What the request admits by {@code service_tier} and a variant of the model's name. Asking for
   * the default tier and listing an order both take back what a variant would admit.
   *
   * @param byVariant what the name of the model admits
   */
  static int admitted(RoutingQuery query, int byVariant) {
    return switch (query.tier()) {
      case UNSET -> query.preferences().order().isEmpty() ? byVariant : 0;
      case DEFAULT -> 0;
      case PRIORITY -> PRIORITY | (query.preferences().order().isEmpty() ? byVariant : 0);
      case FLEX -> FLEX | (query.preferences().order().isEmpty() ? byVariant : 0);
    };
  }

  /** Flex was asked for by name, not by a variant: where there are flex endpoints, only those. */
  static boolean onlyFlex(RoutingQuery query) {
    return query.tier() == ServiceTier.FLEX;
  }
}
