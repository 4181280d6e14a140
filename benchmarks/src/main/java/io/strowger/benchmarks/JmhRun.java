package io.strowger.benchmarks;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs benchmarks with short settings and prints whether they meet their targets. */
final class JmhRun {
  private static final Path REPORT = Path.of("jmh.json");

  private JmhRun() {}

  /** Returns the names of all benchmarks, sorted. */
  static List<String> list() {
    var names = new TreeSet<String>();
    var silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
    for (BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(silent, List.of())) {
      String name = TargetReport.shortName(entry.getUsername());
      if (!name.startsWith(DecideBenchmark.class.getSimpleName())) {
        names.add(name);
      }
    }
    return new ArrayList<>(names);
  }

  /**
   * @param args a pattern and JMH's own options, which override the settings here
   * @return the exit code: 0 when the benchmarks ran, 2 when the command line was not understood
   */
  static int run(String[] args, PrintStream out) throws RunnerException {
    CommandLineOptions commandLine;
    try {
      commandLine = new CommandLineOptions(args);
    } catch (CommandLineOptionException unknown) {
      out.println(unknown.getMessage());
      return 2;
    }
    if (commandLine.getIncludes().isEmpty()) {
      out.println(
          "jmh needs a PATTERN, such as PlanBenchmark; './gateway bench' lists the benchmarks, and"
              + " 'bench jmh Benchmark' runs all of them, which takes more than 20 minutes");
      return 2;
    }
    @Nullable String skipReason = RealCatalogBenchmark.skipReason();
    if (skipReason != null) {
      out.println(skipReason);
    }
    Collection<RunResult> results = new Runner(settings(commandLine, skipReason != null)).run();
    out.println();
    TargetReport.print(results, out);
    out.println("\nwritten to " + report());
    return 0;
  }

  private static Options settings(CommandLineOptions commandLine, boolean withoutCatalog) {
    ChainedOptionsBuilder settings =
        new OptionsBuilder()
            .parent(commandLine)
            .exclude(DecideBenchmark.class.getSimpleName()) // bench decide runs it
            .addProfiler(GCProfiler.class);
    if (withoutCatalog) {
      settings.exclude(RealCatalogBenchmark.class.getSimpleName());
    }
    if (!commandLine.getForkCount().hasValue()) {
      settings.forks(1);
    }
    if (!commandLine.getWarmupIterations().hasValue()) {
      settings.warmupIterations(3);
    }
    if (!commandLine.getMeasurementIterations().hasValue()) {
      settings.measurementIterations(5);
    }
    if (!commandLine.getResult().hasValue()) {
      settings.resultFormat(ResultFormatType.JSON).result(report().toString());
    }
    return settings.build();
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
