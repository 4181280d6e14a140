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
  private final RequestedModel[] asked;
  private final EndpointRuleSet endpointRuleSet;
  private final ListedOrder order;
  private Selection.@Nullable None refusal;
  private boolean vetoed;

  /**
   * @param context the context, with the service tiers the first model's name admits
   */
  PlanComputation(Routers routers, RuleContext context, RequestedModel[] asked) {
    this.routers = routers;
    this.context = context;
    this.query = context.query();
    this.asked = asked;
    this.endpointRuleSet = new EndpointRuleSet(context);
    this.order = ListedOrder.compile(query.preferences().order(), context);
  }

  /** Returns the single rules as they apply to the endpoints of this model. */
  RuleExplainer eachRule(RequestedModel one) {
    return rules(one).each();
  }

  private EndpointRuleSet rules(RequestedModel one) {
    return endpointRuleSet.admitting(ServiceTierMask.admitted(query, one.admits()));
  }

  /**
   * Returns the models that the router with this name could choose if there were no budget and no
   * cooldown; empty when this is not the name of a router.
   *
   * @param rules the rules as they apply to this name
   */
  Set<ModelEndpoints> choosable(RequestedModel one, RuleExplainer rules) {
    for (RouterStep step : query.routers()) {
      if (step.model() == one.place()) {
        return new NoRouteExplainer.Choosable(routers, context, rules).of(step);
      }
    }
    return Set.of();
  }

  /** Returns the caller's {@code provider.order}, compiled. */
  ListedOrder order() {
    return order;
  }

  /** Returns the refusal of a router that chose nothing; null when none refused. */
  Selection.@Nullable None refusal() {
    return refusal;
  }

  /** Returns whether a router that acts on every request rejected all remaining models. */
  boolean vetoed() {
    return vetoed;
  }

  /** Returns the attempts, in order; empty when there are none. */
  List<PlannedAttempt> decide() {
    return decide(null);
  }

  /** Returns the trace, made by deciding again. */
  @Override
  public List<TraceEntry> get() {
    var facts = new ArrayList<TraceEntry>();
    var reasons = new RankReasons(context, order, facts);
    List<PlannedAttempt> attempts = decide(reasons);
    for (int rank = 0; rank < attempts.size(); rank++) {
      facts.add(reasons.traceEntry(attempts.get(rank), rank));
    }
    return facts;
  }

  private List<PlannedAttempt> decide(@Nullable RankReasons reasons) {
    List<TraceEntry> facts = reasons == null ? null : reasons.facts();
    List<Shortlist> lists = shortlists(facts);
    if (query.preferences().sort().partition() == ProviderSort.Partition.NONE && lists.size() > 1) {
      lists = mergeUnordered(lists);
    }
    int most = most(facts);
    CredentialGroups credentials = CredentialGroups.of(context, most);
    var groups = new AttemptList[lists.size()];
    int size = 0;
    int lastModel = -1;
    for (int i = 0; i < lists.size(); i++) {
      Shortlist list = lists.get(i);
      if (list.size() > 0 && !isFallbackOfARouter(list, lastModel)) {
        lastModel = list.model(0);
        // with BYOK keys, an endpoint at the front may yield no attempt
        int front = credentials == null && query.sticky().isEmpty() ? most : Integer.MAX_VALUE;
        Ranking.apply(list, context, order, SplitMix64.derive(query.seed(), i), front);
        Ranking.promoteSticky(list, context);
        if (reasons != null) {
          reasons.remember(list);
        }
        AttemptList group = attempts(list, credentials, most, facts);
        if (group.size() > 0) {
          groups[size++] = group;
        }
      }
    }
    return join(groups, size, facts);
  }

  /**
   * Returns the number of attempts of one list that matter. Later ones are never tried, but a trace
   * lists them. Without fallbacks all of them matter, since the attempts that are kept need not be
   * the first ones.
   */
  private int most(@Nullable List<TraceEntry> facts) {
    return query.preferences().allowFallbacks() && facts == null
        ? Planner.MAX_ATTEMPTS
        : Integer.MAX_VALUE;
  }

  /**
   * Merges all models into one list, at the place of the first; lists ordered by a router stay
   * separate.
   */
  private static List<Shortlist> mergeUnordered(List<Shortlist> lists) {
    var joined = new ArrayList<Shortlist>(1);
    var loose = new ArrayList<Shortlist>(lists.size());
    int place = 0;
    for (Shortlist list : lists) {
      if (list.isFixed()) {
        joined.add(list);
        place += loose.isEmpty() ? 1 : 0;
      } else {
        loose.add(list);
      }
    }
    if (!loose.isEmpty()) {
      joined.add(place, Shortlist.merged(loose));
    }
    return joined;
  }

  private List<Shortlist> shortlists(@Nullable List<TraceEntry> facts) {
    if (!query.routers().isEmpty()) {
      var routed = new RoutedModels(routers, context, endpointRuleSet, facts);
      List<Shortlist> lists = routed.collect(asked);
      refusal = routed.refusal();
      vetoed = routed.vetoed();
      return lists;
    }
    if (asked.length == 1) {
      return List.of(Shortlist.of(asked[0], context, endpointRuleSet, facts));
    }
    var lists = new ArrayList<Shortlist>(asked.length);
    for (RequestedModel one : asked) {
      lists.add(Shortlist.of(one, context, rules(one), facts));
    }
    return lists;
  }

  /**
   * Returns whether the list is a later choice of a router, to be used only if fallbacks are
   * allowed.
   */
  private boolean isFallbackOfARouter(Shortlist list, int lastModel) {
    return !query.preferences().allowFallbacks() && order.isEmpty() && list.model(0) == lastModel;
  }

  private AttemptList attempts(
      Shortlist list,
      @Nullable CredentialGroups credentials,
      int most,
      @Nullable List<TraceEntry> facts) {
    boolean fallbacks = query.preferences().allowFallbacks();
    if (!fallbacks && !order.isEmpty() && !list.isFixed()) {
      int before = list.size();
      list.truncate(list.listedCount());
      note(list.name(), ALLOW_FALLBACKS, before, list.size(), facts);
    }
    if (credentials == null) {
      list.truncate(most); // each becomes one attempt
    }
    var attemptList = new AttemptList(Math.min(list.size(), most));
    CredentialGroups.append(list, credentials, attemptList);
    if (!fallbacks && (order.isEmpty() || list.isFixed())) {
      int before = attemptList.size();
      attemptList.keepOnePerModel();
      note(list.name(), ALLOW_FALLBACKS, before, attemptList.size(), facts);
    }
    return attemptList;
  }

  /**
   * Joins the groups in order. There is room for at least one attempt of each later group;
   * otherwise a fallback that the caller listed would never be reached after a model with many
   * endpoints.
   */
  private static List<PlannedAttempt> join(
      AttemptList[] groups, int size, @Nullable List<TraceEntry> facts) {
    if (size == 0) {
      return List.of();
    }
    AttemptList all = groups[0];
    int room = Planner.MAX_ATTEMPTS;
    for (int i = 0; i < size; i++) {
      AttemptList group = groups[i];
      int later = size - 1 - i;
      int before = group.size();
      group.truncate(Math.min(room, Math.max(1, room - later)));
      if (facts != null) {
        note(group.model(), MAX_ATTEMPTS, before, group.size(), facts);
      }
      room -= group.size();
      if (i > 0) {
        all.appendAll(group);
      }
    }
    return all;
  }

  private static void note(
      String model, String why, int before, int after, @Nullable List<TraceEntry> facts) {
    if (facts != null && after < before) {
      facts.add(new TraceEntry.Narrowed(model, why, after, before - after));
    }
  }
}
