package io.strowger.core.plan;

import io.strowger.spi.plugin.RouterPlugin.Selection;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One query over one catalog: collect what may be tried, put it in order, make attempts of it and
 * cut them to what is allowed. Deciding notes nothing; since it is pure, the trace is made by
 * deciding once more and taking notes, so the two cannot tell different stories.
 */
final class Decision {
  static final String ALLOW_FALLBACKS = "provider.allow_fallbacks";
  static final String MAX_ATTEMPTS = "max_attempts";

  private final PlanIndex index;
  private final Routers routers;
  private final Scope scope;
  private final RoutingQuery query;
  private final Asked[] asked;
  private final Rules rules;
  private final ListedOrder order;
  private final Ranking ranking;
  private Selection.@Nullable None refusal;

  /**
   * @param scope with what the name of the first model admits
   */
  Decision(PlanIndex index, Routers routers, Scope scope, Asked[] asked) {
    this.index = index;
    this.routers = routers;
    this.scope = scope;
    this.query = scope.query();
    this.asked = asked;
    this.rules = new Rules(scope);
    this.order = ListedOrder.compile(query.preferences().order(), scope.catalog());
    this.ranking = new Ranking(scope, order);
  }

  Rules rules() {
    return rules;
  }

  /** What a router said of there being nothing; null when none did. */
  Selection.@Nullable None refusal() {
    return refusal;
  }

  /** What to try, in order; empty when there is nothing. */
  List<Candidate> decide() {
    return decide(null);
  }

  List<TraceEntry> explain() {
    var facts = new ArrayList<TraceEntry>();
    var reasons = new RankReasons(scope, order, facts);
    List<Candidate> attempts = decide(reasons);
    for (int rank = 0; rank < attempts.size(); rank++) {
      facts.add(reasons.of(attempts.get(rank), rank));
    }
    return facts;
  }

  private List<Candidate> decide(@Nullable RankReasons reasons) {
    List<TraceEntry> facts = reasons == null ? null : reasons.facts();
    var candidates = new Candidates(index, routers, scope, rules, facts);
    List<Shortlist> lists = candidates.collect(asked);
    refusal = candidates.refusal();
    if (query.preferences().sort().partition() == ProviderSort.Partition.NONE && lists.size() > 1) {
      lists = List.of(Shortlist.merged(lists));
    }
    var credentials = new CredentialGroups(scope);
    var groups = new ArrayList<Attempts>(lists.size());
    int lastModel = -1;
    for (int i = 0; i < lists.size(); i++) {
      Shortlist list = lists.get(i);
      if (list.size() > 0 && !isFallbackOfARouter(list, lastModel)) {
        lastModel = list.model(0);
        ranking.apply(list, SplitMix64.derive(query.seed(), i));
        StickyEndpoint.promote(list, scope, index);
        if (reasons != null) {
          reasons.remember(list);
        }
        Attempts group = attempts(list, credentials, facts);
        if (group.size() > 0) {
          groups.add(group);
        }
      }
    }
    return join(groups, facts);
  }

  /** Without fallbacks only the first choice of a router counts. */
  private boolean isFallbackOfARouter(Shortlist list, int lastModel) {
    return !query.preferences().allowFallbacks() && order.isEmpty() && list.model(0) == lastModel;
  }

  private Attempts attempts(
      Shortlist list, CredentialGroups credentials, @Nullable List<TraceEntry> facts) {
    boolean fallbacks = query.preferences().allowFallbacks();
    if (!fallbacks && !order.isEmpty() && !list.isFixed()) {
      int before = list.size();
      list.truncate(list.settled());
      note(list.name(), ALLOW_FALLBACKS, before, list.size(), facts);
    }
    var attempts = new Attempts(list.size());
    credentials.add(list, attempts);
    if (!fallbacks && (order.isEmpty() || list.isFixed())) {
      int before = attempts.size();
      attempts.keepOnePerModel();
      note(list.name(), ALLOW_FALLBACKS, before, attempts.size(), facts);
    }
    return attempts;
  }

  /**
   * One group after the other. Each later one keeps room for one attempt, since without it a
   * fallback the caller listed would never be reached behind a model with many endpoints.
   */
  private static List<Candidate> join(List<Attempts> groups, @Nullable List<TraceEntry> facts) {
    if (groups.isEmpty()) {
      return List.of();
    }
    Attempts all = groups.get(0);
    int room = Planner.MAX_ATTEMPTS;
    for (int i = 0; i < groups.size(); i++) {
      Attempts group = groups.get(i);
      int later = groups.size() - 1 - i;
      int before = group.size();
      group.truncate(Math.min(room, Math.max(1, room - later)));
      note("", MAX_ATTEMPTS, before, group.size(), facts);
      room -= group.size();
      if (i > 0) {
        all.addAll(group);
      }
    }
    return all.toList();
  }

  private static void note(
      String model, String why, int before, int after, @Nullable List<TraceEntry> facts) {
    if (facts != null && after < before) {
      facts.add(new TraceEntry.Narrowed(model, why, after, before - after));
    }
  }
}
