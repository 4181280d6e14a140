package io.strowger.core.plan;

import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.plugin.RouterPlugin.Selection;
import io.strowger.spi.routing.RoutePlan.NoRoute;
import io.strowger.spi.routing.RoutingQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller reads when there is nothing to try: what the rules say of the models that were
 * named; where only a router was, what the router says, unless money or time is all that is
 * missing. A router that refuses what the rules left has the last word.
 */
final class Nowhere {
  private Nowhere() {}

  static NoRoute route(Scope scope, PlanIndex index, Asked[] asked, Decision decision) {
    RoutingQuery query = scope.query();
    Selection.None said = decision.refusal();
    if (said != null && decision.vetoed()) {
      return new NoRoute(refused(said, query), decision);
    }
    ListedOrder order = query.preferences().allowFallbacks() ? ListedOrder.NONE : decision.order();
    var named = new ArrayList<Refused>();
    for (Asked one : asked) {
      if (one.model() != null) {
        named.add(new Refused(one.model(), decision.rules(one), order));
      }
    }
    if (named.isEmpty()) {
      Rules rules = decision.rules(asked[0]);
      List<ModelEndpoints> waiting = passing(query, index, rules);
      if (waiting.isEmpty() && said != null) {
        return new NoRoute(refused(said, query), decision);
      }
      waiting.forEach(model -> named.add(new Refused(model, rules, order)));
    }
    return new Refusal(scope, named).route(decision);
  }

  private static GatewayError refused(Selection.None said, RoutingQuery query) {
    String reason = said.reason().isBlank() ? said.code().message() : said.reason();
    GatewayError error = GatewayError.of(said.code(), reason);
    return said.code().status() == 404
        ? error.withAvailability(Availability.of(said.code(), query.models()))
        : error;
  }

  /**
   * Visible models that have an endpoint which only money or time keeps from being used, by their
   * ids: all of them, for the first that opens or is cheap enough is what the caller waits for.
   */
  private static List<ModelEndpoints> passing(RoutingQuery query, PlanIndex index, Rules rules) {
    var found = new ArrayList<ModelEndpoints>();
    for (ModelInfo model : index.catalog().models()) {
      if (ModelNames.isVisible(model, query)) {
        ModelEndpoints endpoints = index.endpoints(model);
        if (isPassing(endpoints, rules)) {
          found.add(endpoints);
        }
      }
    }
    found.sort(Comparator.comparing(endpoints -> endpoints.model().id()));
    return found;
  }

  private static boolean isPassing(ModelEndpoints endpoints, Rules rules) {
    for (int place = 0; place < endpoints.size(); place++) {
      @Nullable Rule first = rules.firstToDrop(endpoints.endpoint(place));
      if (first != null && first.passes()) {
        return true;
      }
    }
    return false;
  }
}
