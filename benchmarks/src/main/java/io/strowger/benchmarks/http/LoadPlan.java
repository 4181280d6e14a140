package io.strowger.benchmarks.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The scenarios to run, and how long each part of a scenario lasts.
 *
 * @param scenarios the scenarios in the order of {@link Scenario#ALL}
 * @param connections the number of connections at once under load
 * @param warmUp the longest load before measuring, on all contenders of a scenario together
 * @param serialTime how long the contenders are called one request at a time
 * @param load how long each contender is put under load
 */
public record LoadPlan(
    List<Scenario> scenarios,
    int connections,
    Duration warmUp,
    Duration serialTime,
    Duration load) {
  private static final int MAX_SECONDS = 3_600;
  private static final int MAX_CONNECTIONS = 1_000;
  private static final int QUICK_DIVISOR = 4;
  private static final Set<String> OPTIONS =
      Set.of("--scenario", "--warm-up", "--serial", "--load", "--connections");

  /**
   * Checks that a plan has an option of this name.
   *
   * @throws IllegalArgumentException when it has none
   */
  public static void requireOption(String option) {
    if (!OPTIONS.contains(option)) {
      throw new IllegalArgumentException("unknown option " + option);
    }
  }

  /** Builds a plan from options. For one thread. */
  public static final class Builder {
    private final List<String> scenarios = new ArrayList<>();
    private int connections = 16;
    private int warmUp;
    private int serial;
    private int load;
    private int divisor = 1;

    /** Creates a builder with the default times, in seconds. */
    public Builder(int warmUp, int serial, int load) {
      this.warmUp = warmUp;
      this.serial = serial;
      this.load = load;
    }

    /** Divides all times by four, including those set later. */
    public void quick() {
      divisor = QUICK_DIVISOR;
    }

    /**
     * Sets an option.
     *
     * @throws IllegalArgumentException when the option is unknown or its value is invalid
     */
    public void setOption(String option, String value) {
      switch (option) {
        case "--scenario" -> scenarios.add(Scenario.of(value).id());
        case "--warm-up" -> warmUp = number(option, value, MAX_SECONDS);
        case "--serial" -> serial = number(option, value, MAX_SECONDS);
        case "--load" -> load = number(option, value, MAX_SECONDS);
        case "--connections" -> connections = number(option, value, MAX_CONNECTIONS);
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }

    private static int number(String option, String value, int max) {
      try {
        int number = Integer.parseInt(value);
        if (number >= 1 && number <= max) {
          return number;
        }
      } catch (NumberFormatException e) {
        // reported below
      }
      throw new IllegalArgumentException(
          option + " must be a whole number from 1 to " + max + ", was " + value);
    }

    public LoadPlan build() {
      return new LoadPlan(
          Scenario.ALL.stream()
              .filter(scenario -> scenarios.isEmpty() || scenarios.contains(scenario.id()))
              .toList(),
          connections,
          time(warmUp),
          time(serial),
          time(load));
    }

    private Duration time(int seconds) {
      return Duration.ofSeconds(seconds).dividedBy(divisor);
    }
  }
}
