package io.strowger.core.plan;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RouterStep;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plans one query over one catalog: collects the endpoints that may be tried, puts them in order,
 * makes attempts of them and drops those that are not allowed. A decision records nothing. Since it
 * is pure, the trace is made by deciding again with recording on, and the two cannot differ.
 */
final class PlanComputation implements Supplier<List<TraceEntry>> {
  static final String ALLOW_FALLBACKS = "provider.allow_fallbacks";
  static final String MAX_ATTEMPTS = "max_attempts";

  private final Routers routers;
  private final RuleContext context;
  private final RoutingQuery query;
  private final RequestedModel[] requestedModels;
  private final EndpointRuleSet endpointRuleSet;
  private final ListedOrder order;
  private Selection.@Nullable Refusal refusal;
  private boolean isVetoed;

  /**
   * @param context the context, with the service tiers the first model's name admits
   */
  PlanComputation(Routers routers, RuleContext context, RequestedModel[] requestedModels) {
    this.routers = routers;
    this.context = context;
    this.query = context.query();
    this.requestedModels = requestedModels;
    this.endpointRuleSet = new EndpointRuleSet(context);
    this.order = ListedOrder.compile(query.preferences().order(), context);
  }

  /** Returns the single rules as they apply to the endpoints of this model. */
  RuleExplainer explainer(RequestedModel requestedModel) {
    return rules(requestedModel).explainer();
  }

  private EndpointRuleSet rules(RequestedModel requestedModel) {
    return endpointRuleSet.admitting(
        ServiceTierMask.admittedTiers(query, requestedModel.admittedTiers()));
  }

  /**
   * Returns the models that the router with this name could choose if there were no budget and no
   * cooldown; empty when this is not the name of a router.
   *
   * @param rules the rules as they apply to this name
   */
  Set<ModelEndpoints> routerChoices(RequestedModel requestedModel, RuleExplainer rules) {
    for (RouterStep step : query.routers()) {
      if (step.modelIndex() == requestedModel.index()) {
        return new NoRouteExplainer.RouterChoices(routers, context, rules).of(step);
      }
    }
    return Set.of();
  }

  /** Returns the caller's {@code provider.order}, compiled. */
  ListedOrder order() {
    return order;
  }

  /** Returns the refusal of a router that chose nothing; null when none refused. */
  Selection.@Nullable Refusal refusal() {
    return refusal;
  }

  /** Returns whether a router that acts on every request rejected all remaining models. */
  boolean isVetoed() {
    return isVetoed;
  }

  /** Returns the attempts, in order; empty when there are none. */
  List<PlannedAttempt> decide() {
    return decide(null);
  }

  /** Returns the trace, made by deciding again. */
  @Override
  public List<TraceEntry> get() {
    var trace = new ArrayList<TraceEntry>();
    var reasons = new RankReasons(context, order, trace);
    List<PlannedAttempt> attempts = decide(reasons);
    for (int rank = 0; rank < attempts.size(); rank++) {
      trace.add(reasons.traceEntry(attempts.get(rank), rank));
    }
    return trace;
  }

  private List<PlannedAttempt> decide(@Nullable RankReasons reasons) {
    List<TraceEntry> trace = reasons == null ? null : reasons.trace();
    List<Shortlist> lists = shortlists(trace);
    if (query.preferences().sort().partition() == ProviderSort.Partition.NONE && lists.size() > 1) {
      lists = mergeUnordered(lists);
    }
    int limit = attemptLimit(trace);
    CredentialGroups credentials = CredentialGroups.of(context, limit);
    var groups = new AttemptList[lists.size()];
    int size = 0;
    int lastModel = -1;
    for (int i = 0; i < lists.size(); i++) {
      Shortlist list = lists.get(i);
      if (list.size() > 0 && !isRouterFallback(list, lastModel)) {
        lastModel = list.modelIndex(0);
        // with BYOK keys, an endpoint at the front may yield no attempt
        int frontSize =
            credentials == null && query.stickyEndpoints().isEmpty() ? limit : Integer.MAX_VALUE;
        Ranking.apply(list, context, order, SplitMix64.derive(query.seed(), i), frontSize);
        Ranking.promoteSticky(list, context);
        if (reasons != null) {
          reasons.record(list);
        }
        AttemptList group = attempts(list, credentials, limit, trace);
        if (group.size() > 0) {
          groups[size++] = group;
        }
      }
    }
    return join(groups, size, trace);
  }

  /**
   * Returns the number of attempts of one list that matter. Later ones are never tried, but a trace
   * lists them. Without fallbacks all of them matter, since the attempts that are kept need not be
   * the first ones.
   */
  private int attemptLimit(@Nullable List<TraceEntry> trace) {
    return query.preferences().allowFallbacks() && trace == null
        ? Planner.MAX_ATTEMPTS
        : Integer.MAX_VALUE;
  }

  /**
   * Merges all models into one list, at the place of the first; lists ordered by a router stay
   * separate.
   */
  private static List<Shortlist> mergeUnordered(List<Shortlist> lists) {
    var merged = new ArrayList<Shortlist>(1);
    var unordered = new ArrayList<Shortlist>(lists.size());
    int position = 0;
    for (Shortlist list : lists) {
      if (list.isFixed()) {
        merged.add(list);
        position += unordered.isEmpty() ? 1 : 0;
      } else {
        unordered.add(list);
      }
    }
    if (!unordered.isEmpty()) {
      merged.add(position, Shortlist.merge(unordered));
    }
    return merged;
  }

  private List<Shortlist> shortlists(@Nullable List<TraceEntry> trace) {
    if (!query.routers().isEmpty()) {
      var routed = new RoutedModels(routers, context, endpointRuleSet, trace);
      List<Shortlist> lists = routed.collect(requestedModels);
      refusal = routed.refusal();
      isVetoed = routed.isVetoed();
      return lists;
    }
    if (requestedModels.length == 1) {
      return List.of(Shortlist.of(requestedModels[0], context, endpointRuleSet, trace));
    }
    var lists = new ArrayList<Shortlist>(requestedModels.length);
    for (RequestedModel requestedModel : requestedModels) {
      lists.add(Shortlist.of(requestedModel, context, rules(requestedModel), trace));
    }
    return lists;
  }

  /**
   * Returns whether the list is a later choice of a router, to be used only if fallbacks are
   * allowed.
   */
  private boolean isRouterFallback(Shortlist list, int lastModel) {
    return !query.preferences().allowFallbacks()
        && order.isEmpty()
        && list.modelIndex(0) == lastModel;
  }

  private AttemptList attempts(
      Shortlist list,
      @Nullable CredentialGroups credentials,
      int limit,
      @Nullable List<TraceEntry> trace) {
    boolean allowsFallbacks = query.preferences().allowFallbacks();
    if (!allowsFallbacks && !order.isEmpty() && !list.isFixed()) {
      int sizeBefore = list.size();
      list.truncate(list.listedCount());
      note(list.modelId(), ALLOW_FALLBACKS, sizeBefore, list.size(), trace);
    }
    if (credentials == null) {
      list.truncate(limit); // each becomes one attempt
    }
    var attemptList = new AttemptList(Math.min(list.size(), limit));
    CredentialGroups.append(list, credentials, attemptList);
    if (!allowsFallbacks && (order.isEmpty() || list.isFixed())) {
      int sizeBefore = attemptList.size();
      attemptList.keepOnePerModel();
      note(list.modelId(), ALLOW_FALLBACKS, sizeBefore, attemptList.size(), trace);
    }
    return attemptList;
  }

  /**
   * Joins the groups in order. There is room for at least one attempt of each later group;
   * otherwise a fallback that the caller listed would never be reached after a model with many
   * endpoints.
   */
  private static List<PlannedAttempt> join(
      AttemptList[] groups, int size, @Nullable List<TraceEntry> trace) {
    if (size == 0) {
      return List.of();
    }
    AttemptList result = groups[0];
    int remaining = Planner.MAX_ATTEMPTS;
    for (int i = 0; i < size; i++) {
      AttemptList group = groups[i];
      int laterGroups = size - 1 - i;
      int sizeBefore = group.size();
      group.truncate(Math.min(remaining, Math.max(1, remaining - laterGroups)));
      if (trace != null) {
        note(group.model(), MAX_ATTEMPTS, sizeBefore, group.size(), trace);
      }
      remaining -= group.size();
      if (i > 0) {
        result.appendAll(group);
      }
    }
    return result;
  }

  private static void note(
      String model,
      String reason,
      int sizeBefore,
      int sizeAfter,
      @Nullable List<TraceEntry> trace) {
    if (trace != null && sizeAfter < sizeBefore) {
      trace.add(new TraceEntry.Narrowed(model, reason, sizeAfter, sizeBefore - sizeAfter));
    }
  }
}
