package io.strowger.core;

import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;

/** Decisions without deeds: nothing is dispatched, held or spent. Safe on any thread. */
public interface Routing {
  /**
   * The decision for a chat request's body, in full.
   *
   * @param body JSON; ownership passes
   * @param seed all chance in the decision
   * @throws GatewayException when the body is not a valid request; it names every problem
   */
  Explanation explain(byte[] body, long seed);

  /**
   * The decision for a request, in full: as of now, for a caller who may use the customer's keys
   * that everybody may use, whose conversation nobody has served.
   */
  Explanation explain(InferenceRequest request, long seed);

  /**
   * Decides a recorded query again, over the current catalog and what is known of it now. A query
   * about statistics that were published before is for the decision log to replay, which kept them.
   *
   * @throws IllegalArgumentException when the query is about another catalog or other statistics
   */
  RoutePlan replay(RoutingQuery query);

  /**
   * @param query what was decided on; {@link RoutingQuery#toJson()} is the record of it
   * @param plan what came out, with its trace
   */
  record Explanation(RoutingQuery query, RoutePlan plan) {}
}
