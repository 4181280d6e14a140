package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One query over one catalog. Deciding notes nothing; since it is pure, the trace is made by
 * deciding once more and taking notes, so the two cannot tell different stories.
 */
final class Decision {
  static final String ALLOW_FALLBACKS = "provider.allow_fallbacks";
  static final String MAX_ATTEMPTS = "max_attempts";

  private final RoutingQuery query;
  private final ModelEndpoints[] models;
  private final Rules rules;
  private final ListedOrder order;

  Decision(Scope scope, ModelEndpoints[] models) {
    this.query = scope.query();
    this.models = models;
    this.rules = new Rules(scope);
    this.order = ListedOrder.compile(query.preferences().order(), scope.catalog());
  }

  Rules rules() {
    return rules;
  }

  /** What to try, in order; empty when there is nothing. */
  List<Candidate> decide() {
    return decide(null);
  }

  List<TraceEntry> explain() {
    var facts = new ArrayList<TraceEntry>();
    List<Candidate> attempts = decide(facts);
    for (int rank = 0; rank < attempts.size(); rank++) {
      Endpoint endpoint = attempts.get(rank).endpoint();
      int listed = order.rankOf(endpoint);
      facts.add(
          listed < 0
              ? new TraceEntry.Ranked(endpoint.id(), null, rank, "price", endpoint.blendedPrice())
              : new TraceEntry.Ranked(endpoint.id(), null, rank, "provider.order", listed));
    }
    return facts;
  }

  private List<Candidate> decide(@Nullable List<TraceEntry> facts) {
    Shortlist[] shortlists = new Shortlist[models.length];
    int usable = 0;
    int total = 0;
    for (int i = 0; i < models.length; i++) {
      shortlists[i] = shortlist(i, facts);
      usable += shortlists[i].size() > 0 ? 1 : 0;
      total += shortlists[i].size();
    }
    return join(shortlists, usable, Math.min(total, Planner.MAX_ATTEMPTS), facts);
  }

  private Shortlist shortlist(int index, @Nullable List<TraceEntry> facts) {
    ModelEndpoints model = models[index];
    if (facts != null) {
      for (int place = 0; place < model.size(); place++) {
        rules.explain(model.endpoint(place), facts);
      }
    }
    var shortlist = new Shortlist(model, rules);
    SoftParameters.narrow(shortlist, query.parameters(), facts);
    int listed = order.apply(shortlist);
    DefaultDraw.apply(shortlist, listed, SplitMix64.derive(query.seed(), index));
    if (!query.preferences().allowFallbacks()) {
      truncate(
          shortlist, query.preferences().order().isEmpty() ? 1 : listed, ALLOW_FALLBACKS, facts);
    }
    return shortlist;
  }

  /**
   * One model after the other. Each later model keeps room for one attempt, since without it a
   * fallback the caller listed would never be reached behind a model with many endpoints.
   */
  private static List<Candidate> join(
      Shortlist[] shortlists, int usable, int total, @Nullable List<TraceEntry> facts) {
    Candidate[] attempts = new Candidate[total];
    int size = 0;
    int later = usable;
    for (Shortlist shortlist : shortlists) {
      if (shortlist.size() == 0) {
        continue;
      }
      later--;
      int room = Planner.MAX_ATTEMPTS - size;
      truncate(shortlist, Math.min(room, Math.max(1, room - later)), MAX_ATTEMPTS, facts);
      for (int i = 0; i < shortlist.size(); i++) {
        attempts[size++] = shortlist.candidate(i);
      }
    }
    return List.of(attempts);
  }

  private static void truncate(
      Shortlist shortlist, int most, String why, @Nullable List<TraceEntry> facts) {
    int before = shortlist.size();
    shortlist.truncate(most);
    if (facts != null && shortlist.size() < before) {
      facts.add(
          new TraceEntry.Narrowed(
              shortlist.modelId(), why, shortlist.size(), before - shortlist.size()));
    }
  }
}
