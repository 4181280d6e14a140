package io.strowger.core.decisionlog;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;

/** An item of a decision log. */
public sealed interface LogItem {
  /** Returns where it begins, in bytes from the beginning of the log. */
  long offset();

  /** A catalog that later decisions were made from. */
  record CatalogItem(long offset, Catalog catalog) implements LogItem {}

  /** Statistics that later decisions were made from. */
  record StatisticsItem(long offset, Catalog catalog, Statistics statistics) implements LogItem {}

  /**
   * A decision.
   *
   * @param inputs the inputs of the decision
   * @param plan the recorded candidates or refusal
   */
  record DecisionItem(
      long offset, String id, DecisionInputs inputs, LoggedPlan plan, LoggedDecision.Ending ending)
      implements LogItem {}

  /** The inputs of a decision. */
  record DecisionInputs(Catalog catalog, Statistics statistics, RoutingQuery query) {}

  /**
   * A part of the log that cannot be read. Reading continues after it.
   *
   * @param description a description of the damage, for people
   */
  record Damage(long offset, String description) implements LogItem {}
}
