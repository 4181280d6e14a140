package io.strowger.core.plan;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;

/**
 * The input that rules are compiled from: the query, the catalog and the statistics, and what the
 * name of the model adds to the query.
 *
 * @param query the query to be planned
 * @param index the catalog, indexed
 * @param statistics health and speed of the endpoints
 * @param admittedTiers service tiers that are candidates besides the default one; bits of {@link
 *     ServiceTierMask}
 * @param minContextToCompressTo smallest context length to which a prompt may be compressed; -1 for
 *     half of what the prompt and its answer need
 */
record RuleContext(
    RoutingQuery query,
    PlanIndex index,
    Statistics statistics,
    int admittedTiers,
    int minContextToCompressTo) {
  RuleContext(RoutingQuery query, PlanIndex index, Statistics statistics, int admittedTiers) {
    this(query, index, statistics, admittedTiers, -1);
  }

  RuleContext withAdmittedTiers(int admittedTiers) {
    return new RuleContext(query, index, statistics, admittedTiers, minContextToCompressTo);
  }

  RuleContext withMinContextToCompressTo(int minContextToCompressTo) {
    return new RuleContext(query, index, statistics, admittedTiers, minContextToCompressTo);
  }

  Catalog catalog() {
    return index.catalog();
  }

  /** Returns the time of the decision in milliseconds since 1970. */
  long epochMillis() {
    return query.at().toEpochMilli();
  }
}
