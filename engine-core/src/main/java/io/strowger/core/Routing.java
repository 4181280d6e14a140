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
   * The decision for a chat request's body, in full.
   *
   * @param body JSON; ownership passes
   * @param seed all chance in the decision
   * @throws GatewayException when the body is not a valid request; it names every problem
   */
  default Explanation explain(byte[] body, long seed) {
    return explain(Dialect.CHAT, body, seed);
  }

  /**
   * The decision for a request's body, in full.
   *
   * @param dialect of the body: chat, messages or responses
   * @param body JSON; ownership passes
   * @param seed all chance in the decision
   * @throws GatewayException when the body is not a valid request; it names every problem
   */
  Explanation explain(Dialect dialect, byte[] body, long seed);

  /**
   * The decision for a request, in full: as of now, for a caller who may use the customer's keys
   * that everybody may use, whose conversation nobody has served.
   *
   * @throws GatewayException when the request names no model and the account has none of its own;
   *     or when a router fails: {@code INTERNAL}, which names the router and is for whoever runs
   *     the gateway; its stack is in the log
   */
  Explanation explain(InferenceRequest request, long seed);

  /**
   * Decides a recorded query again, over the current catalog and what is known of it now. A query
   * about statistics that were published before is for the decision log to replay, which kept them.
   *
   * @throws IllegalArgumentException when the query is about another catalog or other statistics
   * @throws GatewayException when a router fails, as for {@link #explain}
   */
  @SuppressWarnings("exports") // for the tests of this project
  RoutePlan replay(RoutingQuery query);

  /**
   * A decision and all there is to say of it.
   *
   * @param catalog what was decided over
   * @param statistics how that fared
   * @param query what was decided on; {@link RoutingQuery#toJson()} is the record of it
   * @param plan what came out
   * @param strategy how the model was found, in the words of {@code router_metadata}
   * @param trace of the plan, and what else the engine notes of the request
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
