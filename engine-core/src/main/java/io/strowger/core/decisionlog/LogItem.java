package io.strowger.core.decisionlog;

import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;

/** What is found in a log. */
public sealed interface LogItem {
  /** Where it begins in the log, in bytes. */
  long offset();

  /** The catalog that later decisions were made over. */
  record OfCatalog(long offset, Catalog catalog) implements LogItem {}

  /** Statistics that later decisions were made over. */
  record OfStatistics(long offset, Catalog catalog, Statistics statistics) implements LogItem {}

  /**
   * A decision.
   *
   * @param made everything it was made from
   * @param plan what was decided
   */
  record OfDecision(
      long offset, String id, Made made, LoggedPlan plan, LoggedDecision.Ending ending)
      implements LogItem {}

  /** What a decision was made from. */
  record Made(Catalog catalog, Statistics statistics, RoutingQuery query) {}

  /**
   * Something that cannot be read. What is behind it can.
   *
   * @param what is wrong, for a person
   */
  record Damage(long offset, String what) implements LogItem {}
}
