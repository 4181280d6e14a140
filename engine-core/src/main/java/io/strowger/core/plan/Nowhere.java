package io.strowger.core.plan;

import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.plugin.RouterPlugin.Selection;
import io.strowger.spi.routing.RoutingQuery;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller reads when there is nothing to try: what the rules say of the models that were
 * named; where only a router was, what the router says, unless money or time is all that is
 * missing.
 */
final class Nowhere {
  private static final int NAMED = 3;

  private Nowhere() {}

  static GatewayError error(Scope scope, PlanIndex index, Asked[] asked, Decision decision) {
    var named = new ArrayList<ModelEndpoints>();
    for (Asked one : asked) {
      if (one.model() != null) {
        named.add(one.model());
      }
    }
    Selection.None said = decision.refusal();
    if (named.isEmpty()) {
      List<ModelEndpoints> waiting = passing(scope.query(), index, decision.rules());
      if (waiting.isEmpty() && said != null) {
        return refused(said, scope.query());
      }
      named.addAll(waiting);
    }
    return new Refusal(scope, named.toArray(new ModelEndpoints[0]), decision.rules()).error();
  }

  private static GatewayError refused(Selection.None said, RoutingQuery query) {
    GatewayError error = GatewayError.of(said.code(), said.reason());
    return said.code().status() == 404
        ? error.withAvailability(Availability.of(said.code(), query.models()))
        : error;
  }

  /** Visible models that have an endpoint which only money or time keeps from being used. */
  private static List<ModelEndpoints> passing(RoutingQuery query, PlanIndex index, Rules rules) {
    var found = new ArrayList<ModelEndpoints>();
    for (ModelInfo model : index.catalog().models()) {
      if (found.size() < NAMED && ModelNames.isVisible(model, query)) {
        ModelEndpoints endpoints = index.endpoints(model);
        if (isPassing(endpoints, rules)) {
          found.add(endpoints);
        }
      }
    }
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
