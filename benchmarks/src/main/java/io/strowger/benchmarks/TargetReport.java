package io.strowger.benchmarks;

import java.io.PrintStream;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** Prints the figures of a run and whether they meet the targets. */
public final class TargetReport {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /**
   * One benchmark with one parameter: time in its unit on each of its threads, bytes per operation,
   * processor time of the calling thread in microseconds per operation; NaN for what was not
   * measured.
   */
  private record Figure(
      int threads,
      double time,
      double error,
      String unit,
      double bytes,
      double cpu,
      double callerBytes) {
    /** Returns the operations of all threads per unit of time. */
    double rate() {
      return threads / time;
    }
  }

  private final Map<String, Figure> figures = new TreeMap<>();

  private TargetReport(Collection<RunResult> results) {
    for (RunResult result : results) {
      figures.put(subject(result.getParams()), figure(result));
    }
  }

  private static Figure figure(RunResult result) {
    Result<?> time = result.getPrimaryResult();
    return new Figure(
        result.getParams().getThreads(),
        time.getScore(),
        time.getScoreError(),
        time.getScoreUnit(),
        secondary(result, ALLOCATED),
        secondary(result, "cpuNanos") / secondary(result, "calls") / 1e3,
        secondary(result, "callerBytes") / secondary(result, "calls"));
  }

  private static double secondary(RunResult result, String name) {
    Result<?> secondary = result.getSecondaryResults().get(name);
    return secondary == null ? Double.NaN : secondary.getScore();
  }

  static void print(Collection<RunResult> results, PrintStream out) {
    var report = new TargetReport(results);
    report.figures.forEach((subject, figure) -> out.println(line(subject, figure)));
    out.println();
    for (Target target : Target.ALL) {
      @Nullable String verdict = report.verdict(target);
      if (verdict != null) {
        out.println(verdict);
      }
    }
  }

  /** Returns class, method and parameters, such as {@code PlanBenchmark.decide 5}. */
  public static String subject(BenchmarkParams params) {
    var subject = new StringBuilder(shortName(params.getBenchmark()));
    for (String key : params.getParamsKeys()) {
      subject.append(' ').append(params.getParam(key));
    }
    return subject.toString();
  }

  /** Returns class and method without the package. */
  static String shortName(String benchmark) {
    int method = benchmark.lastIndexOf('.');
    return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
  }

  private static String line(String subject, Figure figure) {
    return String.format(
        Locale.ROOT,
        "%-44s %12.3f +- %10.3f %-6s %12.0f B%s",
        subject,
        figure.time,
        figure.error,
        figure.unit,
        figure.bytes,
        Double.isNaN(figure.cpu)
            ? ""
            : String.format(
                Locale.ROOT,
                " %9.1f us CPU %9.0f B of the caller",
                figure.cpu,
                figure.callerBytes));
  }

  /** Returns a line about a target; null when this run did not measure its subject. */
  private @Nullable String verdict(Target target) {
    Figure figure = figures.get(target.subject());
    if (figure == null) {
      return null;
    }
    Figure peer = target.peer() == null ? figure : figures.get(target.peerSubject());
    if (peer == null) {
      String missing = target.peerSubject() + " is not in this run: run both";
      return line(target, "open", Double.NaN, missing);
    }
    double value =
        switch (target.measure()) {
          case TIMES -> figure.time / peer.time;
          case MIN_RATE -> figure.rate() / peer.rate();
          case BYTES -> Math.rint(figure.bytes); // JMH's own bytes are spread over all operations
          case BYTES_PER_VALUE -> figure.bytes / target.valueCount();
          case ADDED_BYTES -> figure.bytes - peer.bytes;
          case ADDED_CALLER_BYTES -> figure.callerBytes - peer.callerBytes;
          case ADDED_CPU -> figure.cpu - peer.cpu;
          case ADDED_CPU_PERCENT -> (figure.cpu - peer.cpu) / peer.cpu * 100;
        };
    boolean comparesTimes =
        target.measure() == Target.Measure.TIMES || target.measure() == Target.Measure.MIN_RATE;
    return comparesTimes
        ? verdict(target, value, figure.error / figure.time + peer.error / peer.time)
        : verdict(target, value);
  }

  /**
   * Returns a line about a target that compares times.
   *
   * @param error the error of the value as a share of it; NaN after a single iteration
   */
  static String verdict(Target target, double value, double error) {
    boolean isSettled =
        target.isMet(value * (1 + error)) == target.isMet(Math.max(0, value * (1 - error)));
    return Double.isNaN(error) || !isSettled
        ? line(target, "open", value, target.description() + "; the error is too large to tell")
        : verdict(target, value);
  }

  static String verdict(Target target, double value) {
    return line(target, target.isMet(value) ? "held" : "MISSED", value, target.description());
  }

  private static String line(Target target, String verdict, double value, String description) {
    return String.format(
        Locale.ROOT,
        "%-4s %-6s %-44s %10.2f, %s",
        target.id(),
        verdict,
        target.subject(),
        value,
        description);
  }
}
