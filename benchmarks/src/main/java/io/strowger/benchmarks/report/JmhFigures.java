package io.strowger.benchmarks.report;

import io.strowger.benchmarks.TargetReport;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs benchmarks and keeps what each iteration measured: time, and bytes allocated. */
final class JmhFigures {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private final Map<String, RunResult> results = new HashMap<>();
  private final boolean quick;
  private final PrintStream out;

  JmhFigures(boolean quick, PrintStream out) {
    this.quick = quick;
    this.out = out;
  }

  /** Runs some methods of a benchmark. */
  void run(JmhSelection selection) throws RunnerException {
    String methods = String.join("|", selection.methods());
    out.println(
        "measuring " + selection.benchmark() + ": " + String.join(", ", selection.methods()));
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("\\." + selection.benchmark() + "\\.(" + methods + ")$")
            .param(selection.parameter(), selection.values().toArray(String[]::new))
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .forks(1);
    if (quick) {
      options.warmupIterations(2).measurementIterations(3);
    }
    for (RunResult result : new Runner(options.build()).run()) {
      results.put(TargetReport.subject(result.getParams()), result);
    }
  }

  /** Returns the time of an operation in each iteration, in the unit of the benchmark. */
  List<Double> times(String subject) {
    return iterations(subject).stream()
        .map(iteration -> iteration.getPrimaryResult().getScore())
        .toList();
  }

  /** Returns the bytes that an operation allocated in each iteration. */
  List<Double> bytes(String subject) {
    return iterations(subject).stream()
        .map(JmhFigures::allocated)
        .map(bytes -> bytes < 0.5 ? 0.0 : bytes) // less is the profiler's own allocation
        .toList();
  }

  private static double allocated(IterationResult iteration) {
    @Nullable Result<?> bytes = iteration.getSecondaryResults().get(ALLOCATED);
    if (bytes == null) {
      throw new IllegalStateException("the profiler did not report what was allocated");
    }
    return bytes.getScore();
  }

  private List<IterationResult> iterations(String subject) {
    RunResult result = results.get(subject);
    if (result == null) {
      throw new IllegalArgumentException(
          subject + " was not measured; measured were " + results.keySet());
    }
    var iterations = new ArrayList<IterationResult>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      iterations.addAll(fork.getIterationResults());
    }
    return iterations;
  }

  /**
   * Some methods of a benchmark, and some values of its parameter. JMH ignores the values of a
   * parameter that a benchmark does not have, and then measures all values.
   *
   * @param benchmark the simple name of the class
   * @param methods the names of the methods
   * @param parameter the name of the field with the parameter
   */
  record JmhSelection(
      String benchmark, List<String> methods, String parameter, List<String> values) {}
}
