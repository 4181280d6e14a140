package io.strowger.core;

import io.strowger.spi.catalog.Usd;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The result of a {@link WhatIf} analysis. Immutable.
 *
 * <p>An endpoint is given as {@link io.strowger.spi.catalog.Endpoint#id()}, such as {@code
 * acme/large@alpha}, and a decision that refuses the request as {@code refused: } and the error
 * code.
 *
 * @param counts the numbers of decisions by result
 * @param firstChoiceChanges the changes of the first choice with their counts, the most frequent
 *     first
 * @param otherFirstChoiceChanges the number of changes of the first choice that {@code
 *     firstChoiceChanges} leaves out, because its number of rows is limited
 * @param changedDecisions the first decisions that changed, in the order of the log
 * @param figures cost and latency, on the same decisions for every row
 */
public record WhatIfReport(
    Counts counts,
    List<FirstChoiceChange> firstChoiceChanges,
    long otherFirstChoiceChanges,
    List<ChangedDecision> changedDecisions,
    Figures figures) {
  public WhatIfReport {
    Objects.requireNonNull(counts, "counts");
    firstChoiceChanges = List.copyOf(firstChoiceChanges);
    changedDecisions = List.copyOf(changedDecisions);
    Objects.requireNonNull(figures, "figures");
  }

  /**
   * The numbers of decisions by result; each is at least 0.
   *
   * @param decisions decisions that could be read
   * @param firstChanged decisions with another first choice
   * @param laterChanged decisions with the same first choice, but other candidates after it, or in
   *     another order
   * @param notComparable decisions that are not compared, because a router is missing or has
   *     another version, or because this program decides differently even without the change;
   *     counted in {@code decisions}, but not as changed
   * @param damaged places in the log that could not be read
   */
  public record Counts(
      long decisions, long firstChanged, long laterChanged, long notComparable, long damaged) {
    /** Returns how many decisions could be compared. */
    public long compared() {
      return decisions - notComparable;
    }

    /** Returns how many decisions came out as they were logged. */
    public long unchanged() {
      return compared() - firstChanged - laterChanged;
    }
  }

  /**
   * A change from one first choice to another, with the number of decisions that made it.
   *
   * @param from the logged first choice
   * @param to the first choice with the change
   * @param count the number of decisions with this change, at least 1
   */
  public record FirstChoiceChange(String from, String to, long count) {}

  /**
   * One decision whose plan changed.
   *
   * @param id the generation id of the call, followed by {@code .2} and so on for decisions of
   *     later turns
   * @param from the logged plan: every candidate in order
   * @param to the plan with the change
   */
  public record ChangedDecision(String id, String from, String to) {}

  /**
   * Cost and latency.
   *
   * @param pricedDecisions the number of decisions over which each row's cost is summed: those that
   *     were answered, whose usage is in the log, and that every row can answer
   * @param timedDecisions the number of decisions over which each row's latency is averaged: those
   *     that were answered, and for which the latency of every row's endpoint was known
   * @param rows one row for the log, one for the change, and three for fixed rules: cheapest,
   *     fastest, first listed. The fixed rules use the preferences of the log and the catalog of
   *     the changed configuration
   */
  public record Figures(long pricedDecisions, long timedDecisions, List<Row> rows) {
    public Figures {
      rows = List.copyOf(rows);
    }

    /**
     * Returns the row with this name.
     *
     * @throws IllegalArgumentException when there is no such row
     */
    public Row row(String name) {
      return rows.stream()
          .filter(row -> row.name().equals(name))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("there is no row " + name));
    }
  }

  /**
   * The cost and latency of one way to decide.
   *
   * @param name one of the constants of this type
   * @param cost the cost of its endpoints for the logged usage, including cost that is charged to
   *     BYOK keys
   * @param latencyMs the mean of its endpoints' median time to first token in milliseconds, by the
   *     statistics at each decision; empty when {@link Figures#timedDecisions()} is 0
   */
  public record Row(String name, Usd cost, OptionalDouble latencyMs) {
    /** The endpoints that answered. */
    public static final String LOGGED = "as logged";

    /** The decisions with the change. */
    public static final String WHAT_IF = "what if";

    /** {@code "sort": "price"} on every request. */
    public static final String CHEAPEST = "cheapest";

    /** {@code "sort": "latency"} on every request. */
    public static final String FASTEST = "fastest";

    /** Of the candidates for a model, the one whose provider stands first in the catalog. */
    public static final String FIRST_LISTED = "first listed";
  }
}
