package io.strowger.benchmarks;

import io.strowger.core.Routing;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.routing.RoutePlan;
import io.strowger.host.cli.CommandContext;
import io.strowger.host.cli.CommandException;
import io.strowger.host.cli.ConfigFile;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Dialect;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** {@code bench decide}: measures the decision for one request over one configuration. */
final class DecideRun {
  private static final String USAGE =
      "decide takes --config FILE --request R.json [--dialect chat|messages] [--seed N]";
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /** Descriptions of the measured methods, by method name; the floor first. */
  private static final Map<String, String> SUBJECTS = subjects();

  private DecideRun() {}

  private static Map<String, String> subjects() {
    var subjects = new LinkedHashMap<String, String>();
    subjects.put("roundRobinPick", "floor: take the next endpoint");
    subjects.put("decide", "decide");
    subjects.put("decideAndExplain", "decide and explain");
    subjects.put("readAndExplain", "read the body, check, decide, explain");
    return subjects;
  }

  /**
   * The options of the command line.
   *
   * @param seed the seed of the decision's random choices
   */
  record Options(Path config, Path request, Dialect dialect, long seed) {
    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException when an option is invalid
     */
    static Options of(String... args) {
      BenchOptions arguments =
          BenchOptions.parse(args, List.of("--config", "--request", "--dialect", "--seed"));
      boolean isChat = !"messages".equals(arguments.word("--dialect", "chat", "messages"));
      long seed = seed(Objects.requireNonNullElse(arguments.last("--seed"), "1"));
      String config = arguments.last("--config");
      String request = arguments.last("--request");
      if (config == null || request == null) {
        throw new IllegalArgumentException("--config and --request are needed");
      }
      return new Options(
          Path.of(config), Path.of(request), isChat ? Dialect.CHAT : Dialect.MESSAGES, seed);
    }

    private static long seed(String word) {
      try {
        return Long.parseLong(word);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("--seed must be a whole number, was " + word, e);
      }
    }
  }

  static int run(String[] args, PrintStream out) throws Exception {
    return BenchOptions.run(args, USAGE + "\n", out, Options::of, options -> run(options, out));
  }

  private static int run(Options options, PrintStream out) {
    List<String> summary;
    try {
      summary = decide(options);
    } catch (CommandException e) {
      out.println(e.getMessage());
      e.details().forEach(line -> out.println("  " + line));
      return 1;
    } catch (IOException e) {
      String reason = e instanceof NoSuchFileException ? "no such file" : e.getMessage();
      out.println("cannot read " + options.request() + ": " + reason);
      return 1;
    } catch (IllegalStateException e) { // for example, plugins conflict
      out.println(e.getMessage());
      return 1;
    } catch (GatewayException e) {
      out.println(options.request() + " is refused: " + e.error().message());
      e.error().problems().forEach(problem -> out.println("  " + problem));
      return 1;
    }
    summary.forEach(out::println);
    try {
      table(measure(options)).forEach(out::println);
      return 0;
    } catch (RunnerException e) { // for example, another JMH run on this machine holds JMH's lock
      out.println(e.getMessage());
      return 1;
    }
  }

  private static Map<String, RunResult> measure(Options options) throws RunnerException {
    var results = new LinkedHashMap<String, RunResult>();
    for (Map.Entry<String, String> subject : SUBJECTS.entrySet()) {
      System.err.println("measuring: " + subject.getValue() + " ...");
      results.put(subject.getKey(), new Runner(jmhOptions(options, subject.getKey())).runSingle());
    }
    return results;
  }

  /** Makes the decision once, so that errors are reported before anything is measured. */
  static List<String> decide(Options options) throws CommandException, IOException {
    var ambient = new SystemAmbient();
    byte[] body = Files.readAllBytes(options.request());
    ConfigFile.OpenConfig opened =
        new ConfigFile(options.config(), CommandContext.standard(ambient)).open();
    try (RunningGateway gateway =
        RunningGateway.open(
            opened.config(), opened.plugins(), ambient, RunningGateway.HostResources.NONE)) {
      Routing.Explanation explanation =
          gateway.gateway().routing().explain(options.dialect(), body, options.seed());
      String models =
          explanation.query().models().stream()
              .map(String::valueOf)
              .collect(Collectors.joining(", "));
      return List.of(
          "%s, seed %d, over %d endpoints of %d models"
              .formatted(
                  models,
                  options.seed(),
                  explanation.catalog().endpoints().size(),
                  explanation.catalog().models().size()),
          "decides: " + decision(explanation.plan()));
    }
  }

  private static String decision(RoutePlan plan) {
    return switch (plan) {
      case RoutePlan.Attempts attempts ->
          attempts.candidates().stream()
              .map(candidate -> candidate.endpoint().id())
              .collect(Collectors.joining(", "));
      case RoutePlan.NoRoute none -> none.error().code() + ": " + none.error().message();
    };
  }

  private static org.openjdk.jmh.runner.options.Options jmhOptions(Options options, String method) {
    return new OptionsBuilder()
        .include("^" + DecideBenchmark.class.getName().replace(".", "\\.") + "\\." + method + "$")
        .forks(1)
        .warmupIterations(3)
        .warmupTime(TimeValue.seconds(1))
        .measurementIterations(5)
        .measurementTime(TimeValue.seconds(1))
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true)
        .jvmArgsAppend(
            "-D" + DecideBenchmark.CONFIG + "=" + options.config().toAbsolutePath(),
            "-D" + DecideBenchmark.REQUEST + "=" + options.request().toAbsolutePath(),
            "-D"
                + DecideBenchmark.DIALECT
                + "="
                + options.dialect().name().toLowerCase(Locale.ROOT),
            "-D" + DecideBenchmark.SEED + "=" + options.seed())
        .build();
  }

  private static List<String> table(Map<String, RunResult> results) {
    double floor = time(results.values().iterator().next());
    var lines = new ArrayList<String>();
    lines.add("%-40s %14s %10s %12s %10s".formatted("", "ns", "+-", "bytes", "x floor"));
    results.forEach(
        (method, result) ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%-40s %,14.1f %,10.1f %,12.0f %,10.1f",
                    SUBJECTS.get(method),
                    time(result),
                    result.getPrimaryResult().getScoreError(),
                    bytes(result),
                    time(result) / floor)));
    return lines;
  }

  private static double time(RunResult result) {
    return result.getPrimaryResult().getScore();
  }

  private static double bytes(RunResult result) {
    @Nullable Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
    return Objects.requireNonNull(allocated, ALLOCATED).getScore();
  }
}
