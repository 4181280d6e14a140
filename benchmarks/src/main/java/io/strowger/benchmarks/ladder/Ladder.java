package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.http.Child;
import io.strowger.benchmarks.http.Duel;
import io.strowger.benchmarks.http.LoadPlan;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.ScenarioResult;
import io.strowger.benchmarks.http.WarmUp;
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
 * What does each layer of the gateway add to the one below it: processor time, bytes allocated,
 * latency? All rungs and a blind relay are called in turns in one run over the same upstream, each
 * in a process of its own.
 */
public final class Ladder {
  private static final int LAPS = 5;
  private static final String NOTHING = "";

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
    if (List.of(args).contains("--help")) {
      out.print("ladder " + LadderOptions.USAGE);
      return 0;
    }
    LadderOptions options;
    try {
      options = LadderOptions.of(new LoadPlan.Builder(240, 40, 6), args);
    } catch (IllegalArgumentException notUnderstood) {
      out.println("not understood: " + notUnderstood.getMessage());
      out.print("ladder " + LadderOptions.USAGE);
      return 2;
    }
    new Ladder(out, options).climb();
    return 0;
  }

  private void climb() throws Exception {
    say("starting every rung in a process of its own ...");
    try (Rungs rungs = Rungs.start(options, Child.USUAL_OPTIONS)) {
      for (Scenario scenario : options.plan().scenarios()) {
        climb(scenario, rungs);
      }
    }
    say("");
    table.forEach(this::say);
    say(
        """
        CPU and kB: processor time of the rung's process and what its Java threads allocated, per
        request, with %d requests at once: the median of %d laps. p50: one request at a time. 'over':
        more than the rung below, p50 paired turn by turn. The host's process does not contain its
        caller, those of the other rungs do: its p50 compares with the relay's, its CPU with both.
        """
            .formatted(options.plan().connections(), LAPS));
    if (options.rungs().contains(Rung.HOST)) {
      Starts.run(new String[0], out);
    }
  }

  private void climb(Scenario scenario, Rungs rungs) throws IOException, InterruptedException {
    LoadPlan plan = options.plan();
    try (var duel = new Duel(scenario, rungs.parties())) {
      say(scenario.name() + ": warming up");
      String warm =
          new WarmUp(rungs.all().size(), plan.warmUp())
              .run((rung, time) -> duel.saturate(rung, plan.connections(), time).cpuMicros());
      say(scenario.name() + ": " + warm);
      say(scenario.name() + ": one request at a time for " + plan.turns().toSeconds() + " s");
      List<Duel.Score> scores = duel.run(plan.turns());
      say(scenario.name() + ": under load");
      List<List<Duel.Load>> loads = duel.laps(LAPS, plan.connections(), plan.load());
      Map<Rungs.Running, ScenarioResult> results = new HashMap<>();
      for (int i = 0; i < scores.size(); i++) {
        results.put(
            rungs.all().get(i), new ScenarioResult(scenario, scores.get(i), loads.get(i), 0));
      }
      describe(scenario, rungs, results);
    }
  }

  private void describe(
      Scenario scenario, Rungs rungs, Map<Rungs.Running, ScenarioResult> results) {
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
    Optional<Rungs.Running> relay =
        rungs.all().stream().filter(running -> running.rung() == null).findFirst();
    for (Rungs.Running running : rungs.all()) {
      ScenarioResult result = Objects.requireNonNull(results.get(running));
      Optional<ScenarioResult> below = rungs.below(running).map(results::get);
      String line = line(running.name(), result, below);
      ScenarioResult floor =
          running.rung() == Rung.HOST ? relay.map(results::get).orElse(null) : null;
      table.add(floor == null ? line : line + beside(result, floor));
    }
    table.add(NOTHING);
  }

  private static String line(String name, ScenarioResult result, Optional<ScenarioResult> below) {
    return String.format(
        Locale.ROOT,
        "%-20s %9.1f %9s %9.1f %9s %9.1f %9s",
        name,
        result.cpuMicros(),
        over(below.map(lower -> result.cpuMicros() - lower.cpuMicros())),
        result.allocated() / 1e3,
        over(below.map(lower -> (result.allocated() - lower.allocated()) / 1e3)),
        result.medianMicros(),
        over(below.map(result::addedMicros)));
  }

  private static String over(Optional<Double> more) {
    return more.map(value -> String.format(Locale.ROOT, "%+.1f", value)).orElse(NOTHING);
  }

  private static String beside(ScenarioResult host, ScenarioResult relay) {
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
