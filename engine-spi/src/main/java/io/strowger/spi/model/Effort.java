package io.strowger.spi.model;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The reasoning efforts that a request can ask for, in ascending order. Chat fact sheet, section 4:
 * the share of the output limit that upstreams with budgets get for each.
 */
public enum Effort {
  NONE(0),
  MINIMAL(10),
  LOW(20),
  MEDIUM(50),
  HIGH(80),
  XHIGH(95),
  MAX(95);

  /** No upstream thinks within fewer tokens. */
  public static final int LEAST_BUDGET = 1024;

  private static final int MOST_BUDGET = 128_000;
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
   * The budget this effort stands for, in tokens: its share of the limit, from 1,024 to 128,000; 0
   * for none.
   *
   * @param outputLimit most output tokens of the request
   */
  public int budget(long outputLimit) {
    return this == NONE
        ? 0
        : Math.clamp(outputLimit * percent / HUNDRED, LEAST_BUDGET, MOST_BUDGET);
  }

  /** The least effort whose budget is at least this one; {@link #NONE} for a budget of 0. */
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
   * The supported level nearest to this one, the lower of two as near; itself when nothing is said
   * to be supported. {@link #NONE} stays unless it is not among them.
   *
   * @param supported wire names; unknown ones are passed over
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

  private boolean isNearer(Effort candidate, Effort than) {
    int far = Math.abs(candidate.ordinal() - ordinal());
    int before = Math.abs(than.ordinal() - ordinal());
    return far < before || far == before && candidate.ordinal() < than.ordinal();
  }
}
