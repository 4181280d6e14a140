package io.strowger.benchmarks.http;

import io.strowger.benchmarks.BenchOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

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

  /** The options of a plan. */
  private static final List<String> OPTIONS =
      List.of("--scenario", "--warm-up", "--serial", "--load", "--connections", BenchOptions.QUICK);

  /**
   * Reads a command line that has a plan and other options.
   *
   * @throws IllegalArgumentException when an option is unknown or has no value
   */
  public static BenchOptions arguments(String[] args, String... otherOptions) {
    return BenchOptions.parse(
        args, Stream.concat(OPTIONS.stream(), Stream.of(otherOptions)).toList());
  }

  /**
   * Creates a plan from options.
   *
   * @param warmUp the seconds of load before figures count, by default; likewise the others
   * @throws IllegalArgumentException when a value is invalid
   */
  public static LoadPlan of(BenchOptions arguments, int warmUp, int serial, int load) {
    List<Scenario> selected = arguments.all("--scenario").stream().map(Scenario::of).toList();
    return new LoadPlan(
        Scenario.ALL.stream()
            .filter(scenario -> selected.isEmpty() || selected.contains(scenario))
            .toList(),
        arguments.number("--connections", 16, MAX_CONNECTIONS),
        time(arguments, "--warm-up", warmUp),
        time(arguments, "--serial", serial),
        time(arguments, "--load", load));
  }

  private static Duration time(BenchOptions arguments, String option, int seconds) {
    return Duration.ofSeconds(arguments.number(option, seconds, MAX_SECONDS))
        .dividedBy(arguments.has(BenchOptions.QUICK) ? QUICK_DIVISOR : 1);
  }
}
