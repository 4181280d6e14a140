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

/** How a run stands to the targets, as a table for people. */
final class Standing {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /** One benchmark with one parameter: time in its unit, bytes per operation. */
  private record Figure(double time, double error, String unit, double bytes) {}

  private final Map<String, Figure> figures = new TreeMap<>();

  private Standing(Collection<RunResult> results) {
    for (RunResult result : results) {
      Result<?> time = result.getPrimaryResult();
      Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
      figures.put(
          subject(result.getParams()),
          new Figure(
              time.getScore(),
              time.getScoreError(),
              time.getScoreUnit(),
              allocated == null ? Double.NaN : allocated.getScore()));
    }
  }

  static void print(Collection<RunResult> results, PrintStream out) {
    var standing = new Standing(results);
    standing.figures.forEach((subject, figure) -> out.println(line(subject, figure)));
    out.println();
    for (Target target : Target.ALL) {
      @Nullable String said = standing.said(target);
      if (said != null) {
        out.println(said);
      }
    }
  }

  /** Class, method and parameters, such as {@code PlanBenchmark.decide 5}. */
  static String subject(BenchmarkParams params) {
    var subject = new StringBuilder(shortName(params.getBenchmark()));
    for (String key : params.getParamsKeys()) {
      subject.append(' ').append(params.getParam(key));
    }
    return subject.toString();
  }

  /** Class and method without the package. */
  static String shortName(String benchmark) {
    int method = benchmark.lastIndexOf('.');
    return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
  }

  private static String line(String subject, Figure figure) {
    return String.format(
        Locale.ROOT,
        "%-44s %12.3f +- %10.3f %-6s %12.0f B",
        subject,
        figure.time,
        figure.error,
        figure.unit,
        figure.bytes);
  }

  /** What to say about a target; null when this run cannot tell. */
  private @Nullable String said(Target target) {
    Figure figure = figures.get(target.subject());
    Figure peer = target.peer() == null ? figure : figures.get(target.peerSubject());
    if (figure == null || peer == null) {
      return null;
    }
    double reached =
        switch (target.measure()) {
          case TIMES -> figure.time / peer.time;
          case BYTES -> figure.bytes;
          case BYTES_PER_VALUE -> figure.bytes / target.valuesRead();
        };
    return said(target, reached);
  }

  static String said(Target target, double reached) {
    return String.format(
        Locale.ROOT,
        "%-4s %-6s %-44s %10.2f, %s",
        target.id(),
        reached <= target.most() ? "held" : "MISSED",
        target.subject(),
        reached,
        target.bound());
  }
}
