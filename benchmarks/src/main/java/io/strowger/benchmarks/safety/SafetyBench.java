package io.strowger.benchmarks.safety;

import io.strowger.benchmarks.BenchOptions;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Measures what hostile clients and broken upstreams cost other clients. Honest clients are
 * measured alone and then during each kind of attack; every trial starts a gateway of its own.
 *
 * <p>Target, on two processors: the 99th percentile of the times of honest requests is at most
 * {@value HostileLoad#MAX_RATIO} times what it is without an attack, no honest request fails, and
 * no health probe takes more than half a second.
 */
public final class SafetyBench {
  private static final Path REPORT = Path.of("safety.json");
  private static final String USAGE =
      """
      safety takes --seconds N  the length of each phase of a trial, 1 to 60 (4)
                   --only TEXT  run only trials whose name contains TEXT
      """;

  private final PrintStream out;
  private final Trial.Plan plan;

  private SafetyBench(PrintStream out, Trial.Plan plan) {
    this.out = out;
    this.plan = plan;
  }

  /**
   * The options of the command line.
   *
   * @param nameFilter part of the names of the trials to run; empty for all
   */
  record Options(int seconds, String nameFilter) {
    /**
     * @throws IllegalArgumentException when an option is unknown or its value is invalid
     */
    static Options of(String... args) {
      BenchOptions arguments = BenchOptions.parse(args, List.of("--seconds", "--only"));
      String nameFilter = Objects.requireNonNullElse(arguments.last("--only"), "");
      var options = new Options(arguments.number("--seconds", 4, 60), nameFilter);
      if (options.trials().isEmpty()) {
        throw new IllegalArgumentException("no trial has " + nameFilter + " in its name");
      }
      return options;
    }

    List<Trial> trials() {
      return allTrials().stream().filter(trial -> trial.name().contains(nameFilter)).toList();
    }
  }

  /**
   * @return the exit code: 0 when every trial passes, 1 when one misses, 2 when the command line
   *     was not understood
   */
  public static int run(String[] args, PrintStream out) throws Exception {
    return BenchOptions.run(args, USAGE, out, Options::of, options -> run(options, out));
  }

  private static int run(Options options, PrintStream out)
      throws IOException, InterruptedException {
    List<Outcome> outcomes =
        new SafetyBench(out, new Trial.Plan(options.seconds())).run(options.trials());
    Path report = report();
    Files.write(report, toJson(outcomes).toBytes());
    out.println("\ncolumn health: the slowest health probe; report written to " + report);
    return exitCode(outcomes);
  }

  /** Returns every trial, in the order in which the report lists them. */
  static List<Trial> allTrials() {
    var all = new ArrayList<Trial>();
    AttackScenario.ALL.forEach(scenario -> all.add(new HostileLoad(scenario)));
    all.addAll(List.of(new UnreadAnswers(), new Overload(), new ColdStart()));
    return all;
  }

  static int exitCode(List<Outcome> outcomes) {
    return outcomes.stream().allMatch(Outcome::passes) ? 0 : 1;
  }

  private List<Outcome> run(List<Trial> trials) throws InterruptedException {
    out.println("times in milliseconds; the upstream takes 10 ms for an honest answer\n");
    out.println(Outcome.HEADINGS);
    var outcomes = new ArrayList<Outcome>();
    for (Trial trial : trials) {
      Outcome outcome;
      try {
        outcome = trial.run(plan);
      } catch (IOException failure) {
        outcome = new Outcome(trial.name(), null, null, "", String.valueOf(failure.getMessage()));
      }
      outcomes.add(outcome);
      out.println(outcome.line());
      out.flush();
    }
    return outcomes;
  }

  private static Json.Obj toJson(List<Outcome> outcomes) {
    return Json.object()
        .put("trials", Json.array(outcomes.stream().map(Outcome::toJson).toList()))
        .build();
  }

  /**
   * Returns the path of the report: beside the jar when {@code ./gateway} started this, otherwise
   * in the current folder.
   */
  private static Path report() {
    Path folder = Path.of(System.getProperty("strowger.reports", "."));
    return Files.isDirectory(folder) ? folder.resolve(REPORT) : REPORT;
  }
}
