package io.strowger.benchmarks.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Which scenarios are run, and how long each part of one lasts.
 *
 * @param scenarios in the order of {@link Scenario#ALL}
 * @param connections at once under load
 * @param warmUp load on all parties of a scenario together, at most
 * @param turns in which the parties are called one request at a time
 * @param load on each party of a scenario
 */
public record LoadPlan(
    List<Scenario> scenarios, int connections, Duration warmUp, Duration turns, Duration load) {
  private static final int MAX_SECONDS = 3_600;
  private static final int MAX_CONNECTIONS = 1_000;
  private static final int QUICKER = 4;

  /** A plan while its options are being read. For one thread. */
  public static final class Builder {
    private final List<String> scenarios = new ArrayList<>();
    private int connections = 16;
    private int warmUp;
    private int turns;
    private int load;
    private int divisor = 1;

    /** Begins with the usual seconds of each part. */
    public Builder(int warmUp, int turns, int load) {
      this.warmUp = warmUp;
      this.turns = turns;
      this.load = load;
    }

    /** A quarter of all times, wherever the option stands. */
    public void quick() {
      divisor = QUICKER;
    }

    /**
     * Takes an option that is the plan's.
     *
     * @throws IllegalArgumentException when it is not, or has another value than it may
     */
    public void take(String option, String value) {
      switch (option) {
        case "--scenario" -> scenarios.add(Scenario.of(value).id());
        case "--warm-up" -> warmUp = number(value, MAX_SECONDS);
        case "--turns" -> turns = number(value, MAX_SECONDS);
        case "--load" -> load = number(value, MAX_SECONDS);
        case "--connections" -> connections = number(value, MAX_CONNECTIONS);
        default -> throw new IllegalArgumentException(option);
      }
    }

    private static int number(String value, int most) {
      int number = Integer.parseInt(value);
      if (number < 1 || number > most) {
        throw new IllegalArgumentException("1 to " + most + ", not " + number);
      }
      return number;
    }

    public LoadPlan build() {
      return new LoadPlan(
          Scenario.ALL.stream()
              .filter(one -> scenarios.isEmpty() || scenarios.contains(one.id()))
              .toList(),
          connections,
          time(warmUp),
          time(turns),
          time(load));
    }

    private Duration time(int seconds) {
      return Duration.ofSeconds(seconds).dividedBy(divisor);
    }
  }
}
