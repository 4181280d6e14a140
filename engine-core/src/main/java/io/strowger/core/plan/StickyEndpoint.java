package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.spi.catalog.Endpoint;
import java.util.List;

/**
 * Puts the endpoint that served the conversation before in front, for the sake of what it has
 * cached. A preference, never a veto: it passes nothing that a rule dropped, and an endpoint in
 * trouble stays where it is. Routing fact sheet, section 12.
 */
final class StickyEndpoint {
  private StickyEndpoint() {}

  static void promote(Shortlist shortlist, Scope scope, PlanIndex index) {
    List<String> sticky = scope.query().sticky();
    if (sticky.isEmpty() || shortlist.isFixed() || !scope.query().preferences().order().isEmpty()) {
      return;
    }
    for (int i = 0; i < sticky.size(); i++) {
      Slot slot = index.slot(sticky.get(i));
      int at = slot == null ? -1 : shortlist.indexOf(slot.endpoint());
      if (at >= 0 && isWell(shortlist.endpoint(at), scope)) {
        shortlist.advance(at, 0);
        return;
      }
    }
  }

  private static boolean isWell(Endpoint endpoint, Scope scope) {
    EndpointStatistics statistics = scope.statistics().of(endpoint);
    return !statistics.broken()
        && !statistics.outage()
        && statistics.uptime() != EndpointStatistics.Uptime.DOWN;
  }
}
