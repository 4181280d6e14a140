package io.strowger.core;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;

/**
 * Dry-run routing: makes decisions without dispatching, holding or spending anything. Safe on any
 * thread.
 */
public interface Routing {
  /**
   * Returns the full decision for the body of a chat request.
   *
   * @param body JSON in UTF-8; the caller must not modify it afterwards
   * @param seed the seed of all random choices in the decision
   * @throws GatewayException when the body is not a valid request; it names every problem
   */
  default Explanation explain(byte[] body, long seed) {
    return explain(Dialect.CHAT, body, seed);
  }

  /**
   * Returns the full decision for a request body.
   *
   * @param dialect the dialect of the body: chat, messages or responses
   * @param body JSON in UTF-8; the caller must not modify it afterwards
   * @param seed the seed of all random choices in the decision
   * @throws GatewayException when the body is not a valid request; it names every problem
   */
  Explanation explain(Dialect dialect, byte[] body, long seed);

  /**
   * Returns the full decision for a request as of now, for an anonymous caller with a new
   * conversation, who may use only the BYOK keys that are open to all callers.
   *
   * @throws GatewayException when the request names no model and the account has no default model;
   *     also, with {@code INTERNAL}, when a router fails: the message names the router and is meant
   *     for the operator, the stack trace is in the log
   */
  Explanation explain(InferenceRequest request, long seed);

  /**
   * Decides a recorded query again, over the current catalog and statistics. To replay a query over
   * earlier statistics, use the decision log, which has kept them.
   *
   * @throws IllegalArgumentException when the query is about another catalog or other statistics
   * @throws GatewayException when a router fails, as for {@link #explain}
   */
  @SuppressWarnings("exports") // for the tests of this project
  RoutePlan replay(RoutingQuery query);

  /**
   * A decision with everything it was made from.
   *
   * @param catalog the catalog that the decision was made over
   * @param statistics the statistics of the catalog's endpoints, as used for the decision
   * @param query the input of the decision; {@link RoutingQuery#toJson()} is its recorded form
   * @param plan the result
   * @param strategy how the model was selected, as {@code router_metadata} names it
   * @param trace the trace of the plan, followed by the engine's notes on the request
   */
  @SuppressWarnings("exports") // for the host of this project, which shows it
  record Explanation(
      Catalog catalog,
      Statistics statistics,
      RoutingQuery query,
      RoutePlan plan,
      String strategy,
      List<TraceEntry> trace) {
    public Explanation {
      trace = List.copyOf(trace);
    }
  }
}
