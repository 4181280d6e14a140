package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.BenchOptions;
import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.InterleavedComparison;
import io.strowger.benchmarks.http.LoadPlan;
import io.strowger.benchmarks.http.Scenario;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import one.profiler.AsyncProfilerLoader;

/**
 * Profiles every rung of the ladder. After a warm-up it writes, per scenario and rung, one flame
 * graph of processor time and one of allocations, both taken under load.
 */
public final class Profile {
  /** What a flame graph shows. */
  private enum Kind {
    /** Processor time by timer signals, which work in containers without extra rights. */
    CPU("itimer"),
    /** Allocation by samples of new thread-local buffers. */
    ALLOC("alloc");

    private final String event;

    Kind(String event) {
      this.event = event;
    }
  }

  /** The last option makes the profiler attribute time to the right method. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:+EnableDynamicAgentLoading",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:+DebugNonSafepoints");

  private final PrintStream out;
  private final LadderOptions options;
  private final Path folder;

  private Profile(PrintStream out, LadderOptions options, Path folder) {
    this.out = out;
    this.options = options;
    this.folder = folder;
  }

  /**
   * Runs the profiles that the command line describes.
   *
   * @return the exit code: 1 when there is no profiler for this system
   */
  public static int run(String[] args, PrintStream out) throws Exception {
    return run(args, Path.of(System.getProperty("strowger.reports", "."), "profile"), out);
  }

  /** Runs the profiles and writes them into a folder. */
  static int run(String[] args, Path folder, PrintStream out) throws Exception {
    return BenchOptions.run(
        args,
        "profile " + LadderOptions.USAGE,
        out,
        arguments -> LadderOptions.of(120, 10, arguments),
        options -> new Profile(out, options, folder).run());
  }

  private int run() throws Exception {
    if (!AsyncProfilerLoader.isSupported()) {
      say("there is no profiler for this system; it needs Linux or macOS");
      return 1;
    }
    Files.createDirectories(folder);
    say("starting every rung in a process of its own ...");
    var jvmOptions = new ArrayList<>(ChildProcess.DEFAULT_OPTIONS);
    jvmOptions.addAll(JVM_OPTIONS);
    try (Rungs rungs = Rungs.start(options, jvmOptions)) {
      for (Scenario scenario : options.plan().scenarios()) {
        run(scenario, rungs);
      }
    }
    return 0;
  }

  private void run(Scenario scenario, Rungs rungs) throws IOException, InterruptedException {
    LoadPlan plan = options.plan();
    try (var comparison = new InterleavedComparison(scenario, rungs.contenders())) {
      say(scenario.name() + ": " + comparison.warmUp(plan));
      for (int i = 0; i < rungs.rungs().size(); i++) {
        for (Kind kind : Kind.values()) {
          run(scenario, rungs.rungs().get(i), kind, comparison, i);
        }
      }
    }
  }

  private void run(
      Scenario scenario,
      Rungs.RunningRung rung,
      Kind kind,
      InterleavedComparison comparison,
      int index)
      throws IOException, InterruptedException {
    String name = scenario.id() + "-" + rung.name().replace(", ", "-") + "-" + kind;
    Path file = folder.resolve(name.toLowerCase(Locale.ROOT) + ".html").toAbsolutePath();
    String pid = Long.toString(rung.pid());
    AsyncProfilerLoader.executeProfiler("start", "-e", kind.event, pid);
    InterleavedComparison.Load load =
        comparison.saturate(index, options.plan().connections(), options.plan().load());
    AsyncProfilerLoader.executeProfiler(
        "stop",
        "-o",
        "flamegraph",
        "--title",
        "%s, %s: %.1f us CPU and %.1f kB a request"
            .formatted(scenario.name(), rung.name(), load.cpuMicros(), load.bytes() / 1e3),
        "-f",
        file.toString(),
        pid);
    say(file.toString());
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
