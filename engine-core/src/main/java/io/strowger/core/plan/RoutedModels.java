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
  private static final Comparator<Priced> CHEAPEST_FIRST =
      Comparator.comparingLong(Priced::price).thenComparing(priced -> priced.model().model().id());

  /** A model and the price of its cheapest endpoint that may be used. */
  private record Priced(ModelEndpoints model, long price) {}

  private final PlanIndex index;
  private final RouterCalls routers;
  private final RuleContext context;
  private final @Nullable List<TraceEntry> facts;
  private final List<Shortlist> lists = new ArrayList<>(2);
  private EndpointRuleSet endpointRuleSet;
  private Selection.@Nullable None refusal;
  private boolean vetoed;

  /**
   * @param endpointRuleSet the rules compiled for the context
   * @param facts the trace to add to; null when no trace is made
   */
  RoutedModels(
      Routers routers,
      RuleContext context,
      EndpointRuleSet endpointRuleSet,
      @Nullable List<TraceEntry> facts) {
    this.index = context.index();
    this.routers = new RouterCalls(context, routers, facts);
    this.context = context;
    this.endpointRuleSet = endpointRuleSet;
    this.facts = facts;
  }

  /**
   * Returns the shortlists in the order of the requested models; the choices of a router are in the
   * router's order.
   */
  List<Shortlist> collect(RequestedModel[] asked) {
    for (RequestedModel one : asked) {
      endpointRuleSet =
          endpointRuleSet.admitting(ServiceTierMask.admitted(context.query(), one.admits()));
      if (one.model() != null) {
        lists.add(Shortlist.of(one, context, endpointRuleSet, facts));
      } else {
        route(one);
      }
    }
    dropRepeated();
    for (RouterStep step : context.query().routers()) {
      if (step.model() == RouterStep.EVERY && !isNothingLeft()) {
        routeAll(step);
      }
    }
    return lists;
  }

  /** Returns the refusal of the last router that chose nothing; null when none refused. */
  Selection.@Nullable None refusal() {
    return refusal;
  }

  /** Returns whether a router that acts on every request rejected all that was left. */
  boolean vetoed() {
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

  private void add(ModelEndpoints model, RequestedModel asked) {
    lists.add(Shortlist.of(model, asked, context, endpointRuleSet, facts));
  }

  private void route(RequestedModel asked) {
    for (RouterStep step : context.query().routers()) {
      if (step.model() == asked.place()) {
        var offered = new CandidateModels(context, unusable(), null, step.facts());
        explain(offered);
        choose(step, offered, asked);
        return;
      }
    }
  }

  /**
   * Returns the test for endpoints that a router is not offered: those that the rules drop, and
   * those without a parameter that the request needs.
   */
  private EndpointRule.Test unusable() {
    EndpointRuleSet kept = endpointRuleSet;
    long abilities = context.query().parameters() & Narrowers.SOFT_PARAMETERS;
    return endpoint -> (endpoint.parameters() & abilities) != abilities || !kept.keeps(endpoint);
  }

  private void explain(CandidateModels offered) {
    if (facts != null) {
      RuleExplainer each = endpointRuleSet.each();
      for (int place = 0; place < offered.size(); place++) {
        if (offered.isOffered(place)) {
          Shortlist.explain(index.endpoints(offered.model(place)), each, facts);
        }
      }
    }
  }

  private void choose(RouterStep step, CandidateModels offered, RequestedModel asked) {
    switch (routers.choose(step, offered)) {
      case Selection.Models chosen -> {
        noteEmptyChoice(chosen.inOrder(), chosen.reason());
        boolean any = false;
        for (String id : chosen.inOrder()) {
          ModelEndpoints model = routers.model(step, id, offered);
          if (model != null) {
            add(model, asked);
            any = true;
          }
        }
        RouterCalls.requireAny(step, chosen.inOrder(), any);
      }
      case Selection.Endpoints chosen -> {
        noteEmptyChoice(chosen.inOrder(), chosen.reason());
        IndexedEndpoint[] slots = routers.endpoints(step, chosen, offered);
        int[] models = new int[slots.length];
        Arrays.fill(models, asked.place());
        lists.add(Shortlist.fixed(slots, models));
      }
      case Selection.None none -> refusal = none;
      case Selection.Pass pass -> addAll(offered, asked);
    }
  }

  /** Adds all usable models, cheapest first, when the router has no opinion. */
  private void addAll(CandidateModels offered, RequestedModel asked) {
    var models = new ArrayList<Priced>();
    for (int place = 0; place < offered.size(); place++) {
      if (offered.isUsable(place)) {
        models.add(new Priced(index.endpoints(offered.model(place)), offered.blendedPrice(place)));
      }
    }
    models.sort(CHEAPEST_FIRST);
    models.forEach(priced -> add(priced.model(), asked));
  }

  private void noteEmptyChoice(List<String> chosen, String reason) {
    if (chosen.isEmpty()) {
      refusal = new Selection.None(ErrorCode.NO_ENDPOINTS, reason);
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
    var offered =
        new CandidateModels(
            context, endpoint -> !endpoints.get(endpoint.ordinal()), models, step.facts());
    switch (routers.choose(step, offered)) {
      case Selection.Models chosen -> {
        noteEmptyChoice(chosen.inOrder(), chosen.reason());
        keepModels(step, chosen, offered);
      }
      case Selection.Endpoints chosen -> {
        noteEmptyChoice(chosen.inOrder(), chosen.reason());
        keepEndpoints(step, chosen, offered);
      }
      case Selection.None none -> {
        lists.clear();
        refusal = none;
      }
      case Selection.Pass pass -> {
        // all stays as it is
      }
    }
    vetoed = isNothingLeft();
  }

  private void keepModels(RouterStep step, Selection.Models chosen, CandidateModels offered) {
    var kept = new ArrayList<Shortlist>();
    boolean any = false;
    for (String id : chosen.inOrder()) {
      ModelEndpoints model = routers.model(step, id, offered);
      if (model != null) {
        keepModel(model.model().ordinal(), kept);
        any = true;
      }
    }
    RouterCalls.requireAny(step, chosen.inOrder(), any);
    lists.clear();
    lists.addAll(kept);
    dropRepeated();
  }

  private void keepModel(int ordinal, List<Shortlist> kept) {
    for (Shortlist list : lists) {
      Shortlist part = list.ofModel(ordinal);
      if (part.size() > 0) {
        kept.add(part);
      }
    }
  }

  private void keepEndpoints(RouterStep step, Selection.Endpoints chosen, CandidateModels offered) {
    IndexedEndpoint[] slots = routers.endpoints(step, chosen, offered);
    int[] models = new int[slots.length];
    for (int i = 0; i < slots.length; i++) {
      for (Shortlist list : lists) {
        int at = list.indexOf(slots[i].endpoint());
        models[i] = at < 0 ? models[i] : list.model(at);
      }
    }
    lists.clear();
    lists.add(Shortlist.fixed(slots, models));
  }
}
