package io.strowger.core.plan;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;

/**
 * What rules are compiled for: the question, the world as it is, and what the name of the model
 * adds to the question.
 *
 * @param query the question
 * @param index what there is
 * @param statistics how it fares
 * @param admitted service tiers that are candidates besides the plain one; bits of {@link
 *     ServiceTierMask}
 * @param leastCompressed least context of an endpoint for which a prompt is made to fit; -1 for
 *     half of what the prompt and its answer need
 */
record RuleContext(
    RoutingQuery query, PlanIndex index, Statistics statistics, int admitted, int leastCompressed) {
  RuleContext(RoutingQuery query, PlanIndex index, Statistics statistics, int admitted) {
    this(query, index, statistics, admitted, -1);
  }

  RuleContext admitting(int tiers) {
    return new RuleContext(query, index, statistics, tiers, leastCompressed);
  }

  RuleContext compressingFrom(int context) {
    return new RuleContext(query, index, statistics, admitted, context);
  }

  Catalog catalog() {
    return index.catalog();
  }

  /** The moment of the decision, as statistics have moments. */
  long atMillis() {
    return query.at().toEpochMilli();
  }
}
