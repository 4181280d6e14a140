package io.strowger.host.show;

import io.strowger.core.Routing;
import io.strowger.core.health.Statistics;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A decision to be shown.
 *
 * @param inputs what the decision was made from
 * @param strategy how the models were chosen: {@link #DIRECT} when the caller named them
 * @param candidates in the order they would be tried; empty when there is no route
 * @param error the error the request gets; null when there is a route
 * @param trace the account of why it was decided so
 * @param outcome how the call ended; null when no call was made
 */
public record DecisionView(
    Inputs inputs,
    String strategy,
    List<PlannedAttempt> candidates,
    @Nullable GatewayError error,
    List<TraceEntry> trace,
    CallRecord.@Nullable Outcome outcome) {
  /** The strategy of a request whose caller named the models. */
  public static final String DIRECT = "direct";

  /**
   * What a decision was made from.
   *
   * @param catalog the catalog of models and endpoints
   * @param statistics the health and speed of the endpoints
   * @param seed the random seed; the same inputs give the same decision
   */
  public record Inputs(Catalog catalog, Statistics statistics, long seed) {
    public Inputs {
      Objects.requireNonNull(catalog, "catalog");
      Objects.requireNonNull(statistics, "statistics");
    }
  }

  public DecisionView {
    Objects.requireNonNull(inputs, "inputs");
    Objects.requireNonNull(strategy, "strategy");
    candidates = List.copyOf(candidates);
    trace = List.copyOf(trace);
  }

  /** Creates the view of a decision for which no call was made. */
  public DecisionView(
      Inputs inputs,
      String strategy,
      List<PlannedAttempt> candidates,
      @Nullable GatewayError error,
      List<TraceEntry> trace) {
    this(inputs, strategy, candidates, error, trace, null);
  }

  public static DecisionView of(Routing.Explanation explanation) {
    var inputs =
        new Inputs(explanation.catalog(), explanation.statistics(), explanation.query().seed());
    return switch (explanation.plan()) {
      case RoutePlan.Attempts attempts ->
          new DecisionView(
              inputs, explanation.strategy(), attempts.candidates(), null, explanation.trace());
      case RoutePlan.NoRoute noRoute ->
          new DecisionView(
              inputs, explanation.strategy(), List.of(), noRoute.error(), explanation.trace());
    };
  }

  /**
   * Returns the decision of a finished call. The record has no seed and no statistics, so the view
   * has seed 0 and {@link Statistics#NONE}.
   */
  public static DecisionView of(Catalog catalog, CallRecord record) {
    Map<String, Endpoint> endpoints = endpoints(catalog);
    var candidates = new ArrayList<PlannedAttempt>();
    for (TraceEntry entry : record.trace()) {
      if (entry instanceof TraceEntry.Ranked ranked
          && endpoints.get(ranked.endpoint()) instanceof Endpoint endpoint) {
        candidates.add(new PlannedAttempt(endpoint, 0, ranked.byokKey(), false));
      }
    }
    var inputs = new Inputs(catalog, Statistics.NONE, 0);
    return new DecisionView(inputs, DIRECT, candidates, null, record.trace(), record.outcome());
  }

  /** Returns the catalog's endpoints by id. */
  Map<String, Endpoint> endpoints() {
    return endpoints(inputs.catalog());
  }

  private static Map<String, Endpoint> endpoints(Catalog catalog) {
    var byId = new HashMap<String, Endpoint>();
    catalog.endpoints().forEach(endpoint -> byId.put(endpoint.id(), endpoint));
    return byId;
  }

  /** Returns the trace entry that ranked a candidate; null when there is none. */
  TraceEntry.@Nullable Ranked ranking(PlannedAttempt candidate) {
    for (TraceEntry entry : trace) {
      if (entry instanceof TraceEntry.Ranked ranked
          && ranked.endpoint().equals(candidate.endpoint().id())
          && Objects.equals(ranked.byokKey(), candidate.byokKey())) {
        return ranked;
      }
    }
    return null;
  }
}
