package io.strowger.core.plan;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code service_tier} asks for flex, sets aside a model's endpoints of other tiers. Never
 * the last one: a model without flex endpoints is served by its usual ones. Routing fact sheet,
 * section 9.
 */
final class FlexTierNarrower {
  private FlexTierNarrower() {}

  /**
   * @param facts where the narrowing is noted; null when no trace is wanted
   */
  static void narrow(Shortlist shortlist, RoutingQuery query, @Nullable List<TraceEntry> facts) {
    if (!ServiceTierMask.onlyFlex(query)) {
      return;
    }
    int before = shortlist.size();
    int flex = 0;
    for (int i = 0; i < before; i++) {
      flex += ServiceTierMask.of(shortlist.endpoint(i)) == ServiceTierMask.FLEX ? 1 : 0;
    }
    if (flex == 0 || flex == before) {
      return;
    }
    shortlist.keepTiers(ServiceTierMask.FLEX);
    if (facts != null) {
      facts.add(new TraceEntry.Narrowed(shortlist.name(), "service_tier", flex, before - flex));
    }
  }
}
