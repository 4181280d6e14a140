package io.strowger.spi.model;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The reasoning efforts that a request can ask for, in ascending order, each with its share of the
 * output limit, for upstreams that take a token budget. Chat fact sheet, section 4.
 */
public enum Effort {
  NONE(0),
  MINIMAL(10),
  LOW(20),
  MEDIUM(50),
  HIGH(80),
  XHIGH(95),
  MAX(95);

  /** The smallest reasoning budget that upstreams accept, in tokens. */
  public static final int MIN_BUDGET = 1024;

  private static final int MAX_BUDGET = 128_000;
  private static final int HUNDRED = 100;

  private final int percent;
  private final String wireName = name().toLowerCase(Locale.ROOT);

  Effort(int percent) {
    this.percent = percent;
  }

  public String wireName() {
    return wireName;
  }

  public static Optional<Effort> ofWireName(String name) {
    for (Effort effort : values()) {
      if (effort.wireName().equals(name)) {
        return Optional.of(effort);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the token budget of this effort: its share of the limit, from 1,024 to 128,000; 0 for
   * {@link #NONE}.
   *
   * @param outputLimit the maximum number of output tokens of the request
   */
  public int budget(long outputLimit) {
    return this == NONE ? 0 : Math.clamp(outputLimit * percent / HUNDRED, MIN_BUDGET, MAX_BUDGET);
  }

  /** Returns the least effort, up to XHIGH, whose budget is at least these tokens; NONE for 0. */
  public static Effort ofBudget(long tokens, long outputLimit) {
    if (tokens <= 0) {
      return NONE;
    }
    for (Effort effort : List.of(MINIMAL, LOW, MEDIUM, HIGH)) {
      if (effort.budget(outputLimit) >= tokens) {
        return effort;
      }
    }
    return XHIGH;
  }

  /**
   * Returns the supported effort nearest to this one, the lower of two equally near; itself when no
   * effort qualifies. {@link #NONE} is never the result for another effort.
   *
   * @param supported the wire names of the supported efforts; unknown names are ignored
   */
  public Effort nearest(List<String> supported) {
    Effort nearest = null;
    for (String name : supported) {
      Effort candidate = ofWireName(name).orElse(null);
      if (candidate != null
          && (nearest == null || isNearer(candidate, nearest))
          && (candidate != NONE || this == NONE)) {
        nearest = candidate;
      }
    }
    return nearest == null ? this : nearest;
  }

  private boolean isNearer(Effort candidate, Effort current) {
    int candidateDistance = Math.abs(candidate.ordinal() - ordinal());
    int currentDistance = Math.abs(current.ordinal() - ordinal());
    return candidateDistance < currentDistance
        || candidateDistance == currentDistance && candidate.ordinal() < current.ordinal();
  }
}
