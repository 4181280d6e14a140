package io.strowger.core.plan;

import io.strowger.core.routing.RoutePlan.NoRoute;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.plugin.Selection;
import java.util.ArrayList;
import java.util.Comparator;

/**
 * What a caller reads when there is nothing to try: what the rules say of the models that were
 * named; where only a router was, what the router says, unless money or time is all that keeps it
 * from choosing. A router that refuses what the rules left has the last word.
 */
final class NoRouteExplainer {
  private NoRouteExplainer() {}

  static NoRoute route(
      RuleContext context, PlanIndex index, RequestedModel[] asked, PlanComputation decision) {
    RoutingQuery query = context.query();
    Selection.None said = decision.refusal();
    if (said != null && decision.vetoed()) {
      return new NoRoute(refused(said, query), decision);
    }
    ListedOrder order = query.preferences().allowFallbacks() ? ListedOrder.NONE : decision.order();
    var named = new ArrayList<UnroutableModel>();
    for (RequestedModel one : asked) {
      if (one.model() != null) {
        named.add(new UnroutableModel(one.model(), decision.eachRule(one), order));
      }
    }
    if (named.isEmpty()) {
      for (RequestedModel one : asked) {
        RuleExplainer rules = decision.eachRule(one);
        for (ModelEndpoints model : decision.choosable(one, rules)) {
          named.add(new UnroutableModel(model, rules, order));
        }
      }
      named.sort(Comparator.comparing(UnroutableModel::id));
      if (said != null && named.stream().noneMatch(UnroutableModel::mayPass)) {
        return new NoRoute(refused(said, query), decision);
      }
    }
    return new ExclusionExplainer(context, named).route(decision);
  }

  private static GatewayError refused(Selection.None said, RoutingQuery query) {
    String reason = said.reason().isBlank() ? said.code().message() : said.reason();
    GatewayError error = GatewayError.of(said.code(), reason);
    return said.code().status() == 404
        ? error.withAvailability(Availability.of(said.code(), query.models()))
        : error;
  }
}
