package io.strowger.core.plan;

import io.strowger.core.routing.RouterStep;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.plugin.Selection;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The models a router would choose if neither money nor time were missing. The router itself is
 * asked, about what would be left then, and again without what it chose, until it finds nothing
 * more: so a model it restricts away is never one of them. Used only when a request is refused.
 */
final class ChoosableModels {
  /** Most times the router is asked: it may choose one of a thousand models each time. */
  private static final int ROUNDS = Planner.MAX_ATTEMPTS;

  private final PlanIndex index;
  private final RouterCalls routers;
  private final RuleContext context;
  private final RuleExplainer rules;
  private final BitSet endpoints = new BitSet(); // by their ordinals: not yet chosen

  /**
   * @param rules as they are for the name of the router
   */
  ChoosableModels(PlanIndex index, Routers routers, RuleContext context, RuleExplainer rules) {
    this.index = index;
    this.routers = new RouterCalls(index, routers, context.query(), null);
    this.context = context;
    this.rules = rules;
  }

  /** Returns the models, in the order in which the router would choose them. */
  Set<ModelEndpoints> of(RouterStep step) {
    offerAll();
    var offered =
        new CandidateModels(
            index, context, endpoint -> !endpoints.get(endpoint.ordinal()), null, step.facts());
    var chosen = new LinkedHashSet<ModelEndpoints>();
    try {
      int before = -1;
      for (int round = 0; round < ROUNDS && before < chosen.size(); round++) {
        before = chosen.size();
        choose(step, offered, chosen);
        chosen.forEach(this::withdraw);
      }
    } catch (PluginFailureException choosesBlindly) {
      // it decided the request without failing, so its word stands, and nothing is known beyond it
    }
    return chosen;
  }

  private void offerAll() {
    long abilities = context.query().parameters() & SoftParameters.ANY;
    for (Endpoint endpoint : index.catalog().endpoints()) {
      @Nullable EndpointRule first = rules.firstToDrop(endpoint);
      if ((first == null || first.isTemporary())
          && (endpoint.parameters() & abilities) == abilities) {
        endpoints.set(endpoint.ordinal());
      }
    }
  }

  private void choose(RouterStep step, CandidateModels offered, Set<ModelEndpoints> chosen) {
    switch (routers.choose(step, offered)) {
      case Selection.Models models -> {
        for (String id : models.inOrder()) {
          ModelEndpoints model = routers.model(step, id, offered);
          if (model != null) {
            chosen.add(model);
          }
        }
      }
      case Selection.Endpoints single -> {
        for (IndexedEndpoint slot : routers.endpoints(step, single, offered)) {
          chosen.add(modelOf(slot.endpoint()));
        }
      }
      case Selection.None none -> {
        // what it could choose is chosen
      }
      case Selection.Pass pass -> {
        for (int place = 0; place < offered.size(); place++) {
          if (offered.isUsable(place)) {
            chosen.add(index.endpoints(offered.model(place)));
          }
        }
      }
    }
  }

  private ModelEndpoints modelOf(Endpoint endpoint) {
    return index.endpoints(index.catalog().models().get(endpoint.modelOrdinal()));
  }

  private void withdraw(ModelEndpoints model) {
    for (int place = 0; place < model.size(); place++) {
      endpoints.clear(model.endpoint(place).ordinal());
    }
  }
}
