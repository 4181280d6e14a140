package io.strowger.plugins.pareto;

import io.strowger.spi.plugin.Candidates;
import java.util.List;

/**
 * Keeps the best three of the models it is offered: lowest key first, then lowest tie value, then
 * by id. For one decision.
 */
final class TopThree {
  private static final long NO_KEY = Long.MAX_VALUE;

  private final Candidates candidates;
  private int first = -1;
  private int second = -1;
  private int third = -1;
  private long firstKey = NO_KEY;
  private long secondKey = NO_KEY;
  private long thirdKey = NO_KEY;
  private long firstTie;
  private long secondTie;
  private long thirdTie;

  TopThree(Candidates candidates) {
    this.candidates = candidates;
  }

  /**
   * Offers a model.
   *
   * @param key the sort key, lowest is best; below {@link Long#MAX_VALUE}
   * @param tie decides between equal keys
   */
  void offer(int ordinal, long key, long tie) {
    if (isBefore(ordinal, key, tie, first, firstKey, firstTie)) {
      moveSecond();
      moveFirst();
      first = ordinal;
      firstKey = key;
      firstTie = tie;
    } else if (isBefore(ordinal, key, tie, second, secondKey, secondTie)) {
      moveSecond();
      second = ordinal;
      secondKey = key;
      secondTie = tie;
    } else if (isBefore(ordinal, key, tie, third, thirdKey, thirdTie)) {
      third = ordinal;
      thirdKey = key;
      thirdTie = tie;
    }
  }

  private void moveFirst() {
    second = first;
    secondKey = firstKey;
    secondTie = firstTie;
  }

  private void moveSecond() {
    third = second;
    thirdKey = secondKey;
    thirdTie = secondTie;
  }

  private boolean isBefore(
      int ordinal, long key, long tie, int otherOrdinal, long otherKey, long otherTie) {
    if (otherOrdinal < 0 || key != otherKey) {
      return key < otherKey;
    }
    if (tie != otherTie) {
      return tie < otherTie;
    }
    return candidates.model(ordinal).id().compareTo(candidates.model(otherOrdinal).id()) < 0;
  }

  /** Returns whether a model with this key cannot be among the three. */
  boolean excludes(long key) {
    return key > thirdKey;
  }

  boolean isEmpty() {
    return first < 0;
  }

  /**
   * Returns the ids, best first; a model that served the conversation before is moved to the front.
   */
  List<String> ids() {
    if (second >= 0 && !candidates.isSticky(first)) {
      if (candidates.isSticky(second)) {
        return ids(second, first, third);
      }
      if (third >= 0 && candidates.isSticky(third)) {
        return ids(third, first, second);
      }
    }
    return ids(first, second, third);
  }

  private List<String> ids(int bestOrdinal, int secondOrdinal, int thirdOrdinal) {
    if (secondOrdinal < 0) {
      return List.of(id(bestOrdinal));
    }
    return thirdOrdinal < 0
        ? List.of(id(bestOrdinal), id(secondOrdinal))
        : List.of(id(bestOrdinal), id(secondOrdinal), id(thirdOrdinal));
  }

  private String id(int ordinal) {
    return candidates.model(ordinal).id();
  }
}
