package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.BenchOptions;
import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.InterleavedComparison;
import io.strowger.benchmarks.http.LoadPlan;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.ScenarioResult;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Measures what each layer of the gateway adds to the one below it: processor time, allocated bytes
 * and latency. All rungs and a blind relay are called alternately in one run over the same
 * upstream, each in a process of its own.
 */
public final class Ladder {
  private static final int LAPS = 5;

  private final PrintStream out;
  private final LadderOptions options;
  private final List<String> table = new ArrayList<>();

  private Ladder(PrintStream out, LadderOptions options) {
    this.out = out;
    this.options = options;
  }

  /**
   * Runs the measurements that the command line describes.
   *
   * @return the exit code
   */
  public static int run(String[] args, PrintStream out) throws Exception {
    return BenchOptions.run(
        args,
        "ladder " + LadderOptions.USAGE,
        out,
        arguments -> LadderOptions.of(240, 6, arguments),
        options -> {
          new Ladder(out, options).measure();
          return 0;
        });
  }

  private void measure() throws Exception {
    say("starting every rung in a process of its own ...");
    try (Rungs rungs = Rungs.start(options, ChildProcess.DEFAULT_OPTIONS)) {
      for (Scenario scenario : options.plan().scenarios()) {
        measure(scenario, rungs);
      }
    }
    say("");
    table.forEach(this::say);
    say(
        """
        CPU and kB: processor time of the rung's process and what its Java threads allocated, per
        request, with %d requests at once: the median of %d laps. p50: one request at a time.
        'over': more than the rung below; for p50, requests of the same round are compared. The
        host's process does not contain its caller, while the processes of the other rungs do. So
        compare the host's p50 with the relay's only, and its CPU with the relay's and with that of
        the rung below.
        """
            .formatted(options.plan().connections(), LAPS));
    if (options.rungs().contains(Rung.HOST)) {
      Starts.run(new String[0], out);
    }
  }

  private void measure(Scenario scenario, Rungs rungs) throws IOException, InterruptedException {
    LoadPlan plan = options.plan();
    try (var comparison = new InterleavedComparison(scenario, rungs.contenders())) {
      say(scenario.name() + ": warming up");
      say(scenario.name() + ": " + comparison.warmUp(plan));
      say(scenario.name() + ": one request at a time for " + plan.serialTime().toSeconds() + " s");
      List<InterleavedComparison.SerialResult> serialResults = comparison.run(plan.serialTime());
      say(scenario.name() + ": under load");
      List<List<InterleavedComparison.Load>> loads =
          comparison.runLaps(LAPS, plan.connections(), plan.load());
      Map<Rungs.RunningRung, ScenarioResult> results = new HashMap<>();
      for (int i = 0; i < serialResults.size(); i++) {
        results.put(
            rungs.rungs().get(i),
            new ScenarioResult(scenario, serialResults.get(i), loads.get(i), 0));
      }
      describe(scenario, rungs, results);
    }
  }

  private void describe(
      Scenario scenario, Rungs rungs, Map<Rungs.RunningRung, ScenarioResult> results) {
    table.add(
        String.format(
            Locale.ROOT,
            "%-20s %9s %9s %9s %9s %9s %9s",
            scenario.name(),
            "CPU us",
            "over",
            "kB",
            "over",
            "p50 us",
            "over"));
    Optional<Rungs.RunningRung> relay =
        rungs.rungs().stream().filter(running -> running.rung() == null).findFirst();
    for (Rungs.RunningRung running : rungs.rungs()) {
      ScenarioResult result = Objects.requireNonNull(results.get(running));
      Optional<ScenarioResult> below = rungs.rungBelow(running).map(results::get);
      String line = line(running.name(), result, below);
      ScenarioResult floor =
          running.rung() == Rung.HOST ? relay.map(results::get).orElse(null) : null;
      table.add(floor == null ? line : line + relayComparison(result, floor));
    }
    table.add("");
  }

  private static String line(String name, ScenarioResult result, Optional<ScenarioResult> below) {
    return String.format(
        Locale.ROOT,
        "%-20s %9.1f %9s %9.1f %9s %9.1f %9s",
        name,
        result.cpuMicros(),
        formatDifference(below.map(lower -> result.cpuMicros() - lower.cpuMicros())),
        result.allocated() / 1e3,
        formatDifference(below.map(lower -> (result.allocated() - lower.allocated()) / 1e3)),
        result.medianMicros(),
        formatDifference(below.map(result::addedMicros)));
  }

  private static String formatDifference(Optional<Double> difference) {
    return difference.map(value -> String.format(Locale.ROOT, "%+.1f", value)).orElse("");
  }

  private static String relayComparison(ScenarioResult host, ScenarioResult relay) {
    return String.format(
        Locale.ROOT,
        "   %.2f times the relay's CPU, p50 %+.1f us",
        host.cpuRatio(relay),
        host.addedMicros(relay));
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
