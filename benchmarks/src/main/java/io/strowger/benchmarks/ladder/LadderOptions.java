package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.BenchOptions;
import io.strowger.benchmarks.http.LoadPlan;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The options of {@code bench ladder} or {@code bench profile}.
 *
 * @param plan the scenarios and times
 * @param rungs the rungs to measure
 * @param memory whether to measure gateways that keep everything in memory
 * @param durable whether to measure gateways with a data directory
 */
record LadderOptions(LoadPlan plan, Set<Rung> rungs, boolean memory, boolean durable) {
  static final String USAGE =
      """
      takes --scenario 1k|32k|stream  run only these scenarios; give the option once for each
            --rung NAME               run only these rungs; give the option once for each:
                                      transport, adapter, attempt, turn, inference, wire, host
            --store memory|durable    memory: only gateways without a data directory; durable: only
                                      gateways with one
            --warm-up S               seconds of load before figures count, all rungs together (ladder: 240,
                                      profile: 120)
            --serial S                seconds of one request at a time, all rungs together (40)
            --load S                  seconds of load on each rung (ladder: 6, profile: 10)
            --connections N           requests at once under load (16)
            --quick                   a quarter of those times; then only ratios are reliable
      """;

  /**
   * Reads a command line.
   *
   * @param warmUp the seconds of load before figures count, by default
   * @param load the seconds of load on each rung, by default
   * @throws IllegalArgumentException when an option is unknown or its value is invalid
   */
  static LadderOptions of(int warmUp, int load, String... args) {
    BenchOptions arguments = LoadPlan.arguments(args, "--rung", "--store");
    List<Rung> rungs = arguments.all("--rung").stream().map(Rung::of).toList();
    String store = arguments.word("--store", "memory", "durable");
    return new LadderOptions(
        LoadPlan.of(arguments, warmUp, 40, load),
        rungs.isEmpty() ? EnumSet.allOf(Rung.class) : EnumSet.copyOf(rungs),
        !"durable".equals(store),
        !"memory".equals(store));
  }

  /**
   * Returns whether the rung runs without a data directory: when gateways in memory are measured,
   * or when the rung uses no store.
   */
  boolean runsInMemory(Rung rung) {
    return rungs.contains(rung) && (memory || !rung.usesStore());
  }

  /** Returns whether the rung runs with a data directory. */
  boolean runsOnDisk(Rung rung) {
    return rungs.contains(rung) && durable && rung.usesStore();
  }
}
