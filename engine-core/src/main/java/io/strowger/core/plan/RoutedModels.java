package io.strowger.core.plan;

import io.strowger.core.routing.RouterStep;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the shortlists of a request with routers, model by model. Where a requested name is the
 * slug of a router, the router's choice becomes a shortlist. Routers that act on every request
 * decide last.
 */
final class RoutedModels {
  private static final Comparator<PricedModel> CHEAPEST_FIRST =
      Comparator.comparingLong(PricedModel::price)
          .thenComparing(priced -> priced.model().model().id());

  /** A model and the price of its cheapest endpoint that may be used. */
  private record PricedModel(ModelEndpoints model, long price) {}

  private final PlanIndex index;
  private final RouterCalls routers;
  private final RuleContext context;
  private final @Nullable List<TraceEntry> trace;
  private final List<Shortlist> lists = new ArrayList<>(2);
  private EndpointRuleSet endpointRuleSet;
  private Selection.@Nullable Refusal refusal;
  private boolean vetoed;

  /**
   * @param endpointRuleSet the rules compiled for the context
   * @param trace the trace to add to; null when no trace is made
   */
  RoutedModels(
      Routers routers,
      RuleContext context,
      EndpointRuleSet endpointRuleSet,
      @Nullable List<TraceEntry> trace) {
    this.index = context.index();
    this.routers = new RouterCalls(context, routers, trace);
    this.context = context;
    this.endpointRuleSet = endpointRuleSet;
    this.trace = trace;
  }

  /**
   * Returns the shortlists in the order of the requested models; the choices of a router are in the
   * router's order.
   */
  List<Shortlist> collect(RequestedModel[] requestedModels) {
    for (RequestedModel requestedModel : requestedModels) {
      endpointRuleSet =
          endpointRuleSet.admitting(
              ServiceTierMask.admittedTiers(context.query(), requestedModel.admittedTiers()));
      if (requestedModel.model() != null) {
        lists.add(Shortlist.of(requestedModel, context, endpointRuleSet, trace));
      } else {
        route(requestedModel);
      }
    }
    dropRepeated();
    for (RouterStep step : context.query().routers()) {
      if (step.modelIndex() == RouterStep.EVERY_REQUEST && !isNothingLeft()) {
        routeAll(step);
      }
    }
    return lists;
  }

  /** Returns the refusal of the last router that chose nothing; null when none refused. */
  Selection.@Nullable Refusal refusal() {
    return refusal;
  }

  /** Returns whether a router that acts on every request rejected all that was left. */
  boolean isVetoed() {
    return vetoed;
  }

  private boolean isNothingLeft() {
    for (Shortlist list : lists) {
      if (list.size() > 0) {
        return false;
      }
    }
    return true;
  }

  private void add(ModelEndpoints model, RequestedModel requestedModel) {
    lists.add(Shortlist.of(model, requestedModel, context, endpointRuleSet, trace));
  }

  private void route(RequestedModel requestedModel) {
    for (RouterStep step : context.query().routers()) {
      if (step.modelIndex() == requestedModel.index()) {
        var candidates = new CandidateModels(context, exclusionTest(), null, step.facts());
        explain(candidates);
        choose(step, candidates, requestedModel);
        return;
      }
    }
  }

  /**
   * Returns the test for endpoints that a router is not offered: those that the rules drop, and
   * those without a parameter that the request needs.
   */
  private EndpointRule.Test exclusionTest() {
    EndpointRuleSet rules = endpointRuleSet;
    long abilities = context.query().parameters() & Narrowers.SOFT_PARAMETERS;
    return endpoint ->
        (endpoint.parameterMask() & abilities) != abilities || !rules.keeps(endpoint);
  }

  private void explain(CandidateModels candidates) {
    if (trace != null) {
      RuleExplainer explainer = endpointRuleSet.explainer();
      for (int ordinal = 0; ordinal < candidates.size(); ordinal++) {
        if (candidates.isOffered(ordinal)) {
          Shortlist.explain(index.endpoints(candidates.model(ordinal)), explainer, trace);
        }
      }
    }
  }

  private void choose(RouterStep step, CandidateModels candidates, RequestedModel requestedModel) {
    switch (routers.choose(step, candidates)) {
      case Selection.Models choice -> {
        noteEmptyChoice(choice.ids(), choice.reason());
        boolean anyUsable = false;
        for (String id : choice.ids()) {
          ModelEndpoints model = routers.model(step, id, candidates);
          if (model != null) {
            add(model, requestedModel);
            anyUsable = true;
          }
        }
        RouterCalls.requireAny(step, choice.ids(), anyUsable);
      }
      case Selection.Endpoints choice -> {
        noteEmptyChoice(choice.ids(), choice.reason());
        IndexedEndpoint[] indexedEndpoints = routers.endpoints(step, choice, candidates);
        int[] modelIndices = new int[indexedEndpoints.length];
        Arrays.fill(modelIndices, requestedModel.index());
        lists.add(Shortlist.fixed(indexedEndpoints, modelIndices));
      }
      case Selection.Refusal none -> refusal = none;
      case Selection.Pass pass -> addAll(candidates, requestedModel);
    }
  }

  /** Adds all usable models, cheapest first, when the router has no opinion. */
  private void addAll(CandidateModels candidates, RequestedModel requestedModel) {
    var models = new ArrayList<PricedModel>();
    for (int ordinal = 0; ordinal < candidates.size(); ordinal++) {
      if (candidates.isUsable(ordinal)) {
        models.add(
            new PricedModel(
                index.endpoints(candidates.model(ordinal)), candidates.blendedPrice(ordinal)));
      }
    }
    models.sort(CHEAPEST_FIRST);
    models.forEach(priced -> add(priced.model(), requestedModel));
  }

  private void noteEmptyChoice(List<String> chosen, String reason) {
    if (chosen.isEmpty()) {
      refusal = new Selection.Refusal(ErrorCode.NO_ENDPOINTS, reason);
    }
  }

  /**
   * Drops repeated endpoints, since a router may choose a model that the request also names; the
   * first occurrence stays.
   */
  private void dropRepeated() {
    var seen = new BitSet(index.catalog().endpoints().size());
    for (Shortlist list : lists) {
      list.keepUnseen(seen);
    }
  }

  /** Lets a router that acts on every request reorder and narrow the shortlists so far. */
  private void routeAll(RouterStep step) {
    var models = new BitSet();
    var endpoints = new BitSet();
    for (Shortlist list : lists) {
      for (int i = 0; i < list.size(); i++) {
        endpoints.set(list.endpoint(i).ordinal());
        models.set(list.endpoint(i).modelOrdinal());
      }
    }
    var candidates =
        new CandidateModels(
            context, endpoint -> !endpoints.get(endpoint.ordinal()), models, step.facts());
    switch (routers.choose(step, candidates)) {
      case Selection.Models choice -> {
        noteEmptyChoice(choice.ids(), choice.reason());
        keepModels(step, choice, candidates);
      }
      case Selection.Endpoints choice -> {
        noteEmptyChoice(choice.ids(), choice.reason());
        keepEndpoints(step, choice, candidates);
      }
      case Selection.Refusal none -> {
        lists.clear();
        refusal = none;
      }
      case Selection.Pass pass -> {
        // the shortlists stay as they are
      }
    }
    vetoed = isNothingLeft();
  }

  private void keepModels(RouterStep step, Selection.Models chosen, CandidateModels candidates) {
    var keptLists = new ArrayList<Shortlist>();
    boolean anyUsable = false;
    for (String id : chosen.ids()) {
      ModelEndpoints model = routers.model(step, id, candidates);
      if (model != null) {
        keepModel(model.model().ordinal(), keptLists);
        anyUsable = true;
      }
    }
    RouterCalls.requireAny(step, chosen.ids(), anyUsable);
    lists.clear();
    lists.addAll(keptLists);
    dropRepeated();
  }

  private void keepModel(int ordinal, List<Shortlist> keptLists) {
    for (Shortlist list : lists) {
      Shortlist part = list.ofModel(ordinal);
      if (part.size() > 0) {
        keptLists.add(part);
      }
    }
  }

  private void keepEndpoints(
      RouterStep step, Selection.Endpoints chosen, CandidateModels candidates) {
    IndexedEndpoint[] indexedEndpoints = routers.endpoints(step, chosen, candidates);
    int[] modelIndices = new int[indexedEndpoints.length];
    for (int i = 0; i < indexedEndpoints.length; i++) {
      for (Shortlist list : lists) {
        int position = list.indexOf(indexedEndpoints[i].endpoint());
        modelIndices[i] = position < 0 ? modelIndices[i] : list.modelIndex(position);
      }
    }
    lists.clear();
    lists.add(Shortlist.fixed(indexedEndpoints, modelIndices));
  }
}
