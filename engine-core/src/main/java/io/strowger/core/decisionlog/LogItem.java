package io.strowger.core.decisionlog;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;

/** An item of a decision log. */
public sealed interface LogItem {
  /** Returns where it begins, in bytes from the beginning of the log. */
  long offset();

  /** A catalog that later decisions were made from. */
  record OfCatalog(long offset, Catalog catalog) implements LogItem {}

  /** Statistics that later decisions were made from. */
  record OfStatistics(long offset, Catalog catalog, Statistics statistics) implements LogItem {}

  /**
   * A decision.
   *
   * @param made the inputs of the decision
   * @param plan the recorded candidates or refusal
   */
  record OfDecision(
      long offset, String id, DecisionInputs made, LoggedPlan plan, LoggedDecision.Ending ending)
      implements LogItem {}

  /** The inputs of a decision. */
  record DecisionInputs(Catalog catalog, Statistics statistics, RoutingQuery query) {}

  /**
   * A part of the log that cannot be read. Reading continues after it.
   *
   * @param what a description of the damage, for people
   */
  record Damage(long offset, String what) implements LogItem {}
}
