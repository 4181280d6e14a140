package io.strowger.benchmarks.safety;

import io.strowger.spi.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
      int seconds = 4;
      String nameFilter = "";
      for (int i = 0; i < args.length; i += 2) {
        String value = i + 1 < args.length ? args[i + 1] : "";
        switch (args[i]) {
          case "--seconds" -> seconds = seconds(value);
          case "--only" -> nameFilter = value;
          default -> throw new IllegalArgumentException("unknown option " + args[i]);
        }
      }
      var options = new Options(seconds, nameFilter);
      if (options.trials().isEmpty()) {
        throw new IllegalArgumentException("no trial has " + nameFilter + " in its name");
      }
      return options;
    }

    private static int seconds(String value) {
      try {
        int seconds = Integer.parseInt(value);
        if (seconds >= 1 && seconds <= 60) {
          return seconds;
        }
      } catch (NumberFormatException e) {
        // reported below
      }
      throw new IllegalArgumentException(
          "--seconds must be a whole number from 1 to 60, was " + value);
    }

    List<Trial> trials() {
      return Trials.all().stream().filter(trial -> trial.name().contains(nameFilter)).toList();
    }
  }

  /**
   * @return the exit code: 0 when every trial passes, 1 when one misses, 2 when the command line
   *     was not understood
   */
  public static int run(String[] args, PrintStream out) throws IOException, InterruptedException {
    Options options;
    try {
      options = Options.of(args);
    } catch (IllegalArgumentException notUnderstood) {
      out.println("not understood: " + notUnderstood.getMessage());
      out.print(USAGE);
      return 2;
    }
    List<Outcome> outcomes =
        new SafetyBench(out, new Trial.Plan(options.seconds())).run(options.trials());
    Path report = report();
    Files.write(report, toJson(outcomes).toBytes());
    out.println("\ncolumn health: the slowest health probe; report written to " + report);
    return exitCode(outcomes);
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
