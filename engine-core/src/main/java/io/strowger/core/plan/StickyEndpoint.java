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

  static void promote(Shortlist shortlist, RuleContext context, PlanIndex index) {
    List<String> sticky = context.query().sticky();
    if (sticky.isEmpty()
        || shortlist.isFixed()
        || !context.query().preferences().order().isEmpty()) {
      return;
    }
    for (int i = 0; i < sticky.size(); i++) {
      IndexedEndpoint slot = index.slot(sticky.get(i));
      int at = slot == null ? -1 : shortlist.indexOf(slot.endpoint());
      if (at >= 0 && isWell(shortlist.endpoint(at), context)) {
        shortlist.advance(at, 0);
        return;
      }
    }
  }

  private static boolean isWell(Endpoint endpoint, RuleContext context) {
    EndpointStatistics statistics = context.statistics().of(endpoint);
    return !statistics.isBreakerOpen()
        && !statistics.outage()
        && statistics.uptime() != EndpointStatistics.Uptime.DOWN;
  }
}
