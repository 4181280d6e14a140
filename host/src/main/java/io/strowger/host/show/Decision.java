package io.strowger.host.show;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A decision as it is shown.
 *
 * @param catalog what it was made over
 * @param seed its chance; the same seed gives the same decision
 * @param strategy how the model was found: {@code direct} when the caller named it
 * @param candidates in the order they would be tried; empty when there is nowhere to go
 * @param error what the request gets; null when there is somewhere to go
 * @param trace why
 */
public record Decision(
    Catalog catalog,
    long seed,
    String strategy,
    List<Candidate> candidates,
    @Nullable GatewayError error,
    List<TraceEntry> trace) {
  /** The caller named the models. */
  public static final String DIRECT = "direct";

  public Decision {
    Objects.requireNonNull(catalog, "catalog");
    Objects.requireNonNull(strategy, "strategy");
    candidates = List.copyOf(candidates);
    trace = List.copyOf(trace);
  }

  public static Decision of(Catalog catalog, long seed, RoutePlan plan) {
    return switch (plan) {
      case RoutePlan.Attempts attempts ->
          new Decision(catalog, seed, DIRECT, attempts.inOrder(), null, plan.trace());
      case RoutePlan.NoRoute(var error, var trace) ->
          new Decision(catalog, seed, DIRECT, List.of(), error, trace);
    };
  }

  /** The decision behind a finished call. Its seed is not in the record. */
  public static Decision of(Catalog catalog, CallRecord record) {
    Map<String, Endpoint> endpoints = endpoints(catalog);
    var candidates = new ArrayList<Candidate>();
    for (TraceEntry entry : record.trace()) {
      if (entry instanceof TraceEntry.Ranked ranked && endpoints.containsKey(ranked.endpoint())) {
        candidates.add(Candidate.of(endpoints.get(ranked.endpoint())));
      }
    }
    return new Decision(catalog, 0, DIRECT, candidates, null, record.trace());
  }

  /** The catalog's endpoints by id. */
  Map<String, Endpoint> endpoints() {
    return endpoints(catalog);
  }

  private static Map<String, Endpoint> endpoints(Catalog catalog) {
    var byId = new HashMap<String, Endpoint>();
    catalog.endpoints().forEach(endpoint -> byId.put(endpoint.id(), endpoint));
    return byId;
  }
}
