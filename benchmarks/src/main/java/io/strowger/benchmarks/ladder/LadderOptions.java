package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.http.LoadPlan;
import java.util.EnumSet;
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
   * @param plan the builder, with the default times
   * @throws IllegalArgumentException when an option is unknown or its value is invalid
   */
  static LadderOptions of(LoadPlan.Builder plan, String... args) {
    Set<Rung> rungs = EnumSet.noneOf(Rung.class);
    String store = "";
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      if (option.equals("--quick")) {
        plan.quick();
        continue;
      }
      if (!option.equals("--rung") && !option.equals("--store")) {
        LoadPlan.requireOption(option);
      }
      if (++i == args.length) {
        throw new IllegalArgumentException(option + " needs a value");
      }
      switch (option) {
        case "--rung" -> rungs.add(Rung.of(args[i]));
        case "--store" -> store = store(args[i]);
        default -> plan.setOption(option, args[i]);
      }
    }
    return new LadderOptions(
        plan.build(),
        rungs.isEmpty() ? EnumSet.allOf(Rung.class) : rungs,
        !store.equals("durable"),
        !store.equals("memory"));
  }

  private static String store(String value) {
    if (!value.equals("memory") && !value.equals("durable")) {
      throw new IllegalArgumentException("--store must be memory or durable, was " + value);
    }
    return value;
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
