package io.strowger.core;

import io.strowger.spi.catalog.Usd;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What {@link WhatIf} found. Immutable.
 *
 * <p>An endpoint stands here as {@link io.strowger.spi.catalog.Endpoint#id()}, such as {@code
 * acme/large@alpha}, and a decision to send a request nowhere as {@code refused: } and its error
 * code.
 *
 * @param counts how many decisions there were, and what became of them
 * @param moves which first choices changed into which, the most frequent first
 * @param otherMoves changes of the first choice that {@code moves} leaves out, because it is full
 * @param changes the first decisions that changed, in the order of the log
 * @param figures money and latency, on the same decisions for every row
 */
public record WhatIfReport(
    Counts counts, List<Move> moves, long otherMoves, List<Change> changes, Figures figures) {
  public WhatIfReport {
    Objects.requireNonNull(counts, "counts");
    moves = List.copyOf(moves);
    changes = List.copyOf(changes);
    Objects.requireNonNull(figures, "figures");
  }

  /**
   * What became of the decisions. All are at least 0.
   *
   * @param decisions those that could be read
   * @param firstChanged those whose first choice is another one
   * @param laterChanged those with the same first choice, but others behind it, or in another order
   * @param notComparable those this program does not repeat as they were logged, even without the
   *     change, because a router is missing or is here in another version: they count nowhere else
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
   * First choices that changed in the same way.
   *
   * @param count at least 1
   */
  public record Move(String from, String to, long count) {}

  /**
   * A decision that changed.
   *
   * @param id the generation id of the call; decisions of its later turns have {@code .2} and so on
   *     behind it
   * @param from what was decided, every candidate in order
   * @param to what would be decided
   */
  public record Change(String id, String from, String to) {}

  /**
   * Money and latency.
   *
   * @param priced decisions the money of every row is the sum of: those that were answered, whose
   *     usage is in the log, and that every row answers
   * @param timed decisions the latency of every row is the mean of: those that were answered, and
   *     where the latency of the endpoint of every row was known
   * @param rows as logged, what if, and three fixed rules beside it, over the log's own catalogs
   *     and preferences: cheapest, fastest, first listed
   */
  public record Figures(long priced, long timed, List<Row> rows) {
    public Figures {
      rows = List.copyOf(rows);
    }

    /**
     * Returns the figures of one way to decide.
     *
     * @throws IllegalArgumentException when there are none of this name
     */
    public Row of(String name) {
      return rows.stream()
          .filter(row -> row.name().equals(name))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("there is no row " + name));
    }
  }

  /**
   * The figures of one way to decide.
   *
   * @param name one of the constants of this type
   * @param money what its endpoints cost for the logged usage, keys of customers included, whoever
   *     is charged
   * @param latencyMs mean of the median milliseconds to the first token that the statistics gave
   *     its endpoints at the moment of each decision; empty when none was known
   */
  public record Row(String name, Usd money, OptionalDouble latencyMs) {
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
