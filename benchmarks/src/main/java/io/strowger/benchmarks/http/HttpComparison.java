package io.strowger.benchmarks.http;

import io.strowger.benchmarks.BenchOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Measures what the whole HTTP gateway adds to the latency of a call, and its processor time and
 * memory. Compares it with direct calls and with a relay that uses the same libraries but has no
 * logic. The contenders are called alternately, first on one connection each, then on several at
 * once. One gateway keeps everything in memory, one has a data directory.
 *
 * <p>Every server is a process of its own; direct calls show the cost of the upstream itself. The
 * bounds are those of {@link Bound}.
 */
public final class HttpComparison {
  static final String MEMORY = "memory";
  static final String DURABLE = "durable";
  public static final String RELAY = "relay";
  private static final String BASELINE_SUFFIX = " baseline";
  private static final int LAPS = 5;

  private final PrintStream out;
  private final HttpOptions options;
  private final List<Contender> contenders = new ArrayList<>();
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final List<List<ScenarioResult>> results = new ArrayList<>();

  private HttpComparison(PrintStream out, HttpOptions options) {
    this.out = out;
    this.options = options;
  }

  /**
   * Runs the comparison that the command line describes and prints the figures.
   *
   * @return the exit code
   */
  public static int run(String[] args, PrintStream out) throws Exception {
    return BenchOptions.run(
        args,
        HttpOptions.USAGE,
        out,
        HttpOptions::of,
        options -> {
          var comparison = new HttpComparison(out, options);
          comparison.compare();
          comparison.print();
          return 0;
        });
  }

  /**
   * Runs the comparison that the command line describes and prints only its progress.
   *
   * @return the figures of every contender, scenario by scenario, in the order of {@link
   *     Scenario#ALL}
   * @throws IllegalArgumentException when the command line is invalid
   */
  public static List<List<ScenarioResult>> measure(String[] args, PrintStream out)
      throws Exception {
    var comparison = new HttpComparison(out, HttpOptions.of(args));
    comparison.compare();
    return comparison.results;
  }

  private void compare() throws Exception {
    try {
      start();
      for (Scenario scenario : options.plan().scenarios()) {
        results.add(compare(scenario));
      }
    } finally {
      for (AutoCloseable resource : resources.reversed()) {
        resource.close();
      }
    }
  }

  private void start() throws IOException {
    say("starting each server in a process of its own ...");
    ChildProcess upstream = register(ChildProcess.start(Upstream.class.getName()));
    contenders.add(HttpContender.direct(upstream.uri(), attachCounters(upstream)::usage));
    ChildProcess relay =
        register(
            ChildProcess.start(BlindRelay.class.getName(), upstream.uri() + "/chat/completions"));
    contenders.add(HttpContender.relay(relay.uri(), attachCounters(relay)::usage));
    startGateways(upstream.uri(), ChildProcess.ownClassPath(), "");
    String baseline = options.baseline();
    if (baseline != null) {
      startGateways(upstream.uri(), baseline, BASELINE_SUFFIX);
    }
  }

  private void startGateways(URI upstream, String classPath, String suffix) throws IOException {
    if (options.memory()) {
      startGateway(upstream, false, classPath, MEMORY + suffix);
    }
    if (options.durable()) {
      startGateway(upstream, true, classPath, DURABLE + suffix);
    }
  }

  private void startGateway(URI upstream, boolean durable, String classPath, String name)
      throws IOException {
    GatewayProcess process = register(GatewayProcess.start(upstream, durable, classPath));
    contenders.add(
        HttpContender.gateway(
            name,
            process.child().uri(),
            attachCounters(process.child())::usage,
            process::bytesOnDisk));
  }

  private JvmCounters attachCounters(ChildProcess child) throws IOException {
    return register(JvmCounters.attach(child.pid()));
  }

  private <T extends AutoCloseable> T register(T resource) {
    resources.add(resource);
    return resource;
  }

  private List<ScenarioResult> compare(Scenario scenario) throws IOException, InterruptedException {
    try (var interleaved = new InterleavedComparison(scenario, contenders)) {
      say(scenario.name() + ": warming up for at most " + seconds(options.plan().warmUp()));
      say(scenario.name() + ": " + interleaved.warmUp(options.plan()));
      say(scenario.name() + ": one request at a time for " + seconds(options.plan().serialTime()));
      List<InterleavedComparison.SerialResult> serialResults =
          interleaved.run(options.plan().serialTime());
      return runLoad(scenario, interleaved, serialResults);
    }
  }

  private List<ScenarioResult> runLoad(
      Scenario scenario,
      InterleavedComparison interleaved,
      List<InterleavedComparison.SerialResult> serialResults)
      throws IOException, InterruptedException {
    say(
        "%s: %d connections at once, %d laps of %s for each"
            .formatted(
                scenario.name(),
                options.plan().connections(),
                LAPS,
                seconds(options.plan().load().dividedBy(LAPS))));
    long[] disk = contenders.stream().mapToLong(Contender::bytesOnDisk).toArray();
    List<List<InterleavedComparison.Load>> loads =
        interleaved.runLaps(LAPS, options.plan().connections(), options.plan().load());
    var scenarioResults = new ArrayList<ScenarioResult>();
    for (int i = 0; i < contenders.size(); i++) {
      long diskGrowth = contenders.get(i).bytesOnDisk() - disk[i];
      scenarioResults.add(
          new ScenarioResult(scenario, serialResults.get(i), loads.get(i), diskGrowth));
    }
    return scenarioResults;
  }

  private void print() {
    say("\n" + ScenarioResult.HEADINGS);
    for (List<ScenarioResult> scenarioResults : results) {
      scenarioResults.forEach(result -> say(result.line(scenarioResults.getFirst())));
      say("");
    }
    say(
        """
        +p50, +p99: latency above that of direct calls; for p50, requests of the same round are
        compared. First CPU column: processor time of the contender's process per request, with one
        request at a time. The columns after it are medians of the laps with several connections at
        once: requests per second, processor time per request, and what the process's Java threads
        allocated per request. The row direct shows what the upstream's process used.
        """);
    for (List<ScenarioResult> scenarioResults : results) {
      comparisonLines(scenarioResults).forEach(this::say);
    }
  }

  /** Returns lines about the bounds, and the comparison with the baseline build. */
  private static List<String> comparisonLines(List<ScenarioResult> scenarioResults) {
    ScenarioResult relay = find(scenarioResults, RELAY).orElseThrow();
    var lines = new ArrayList<String>();
    for (Bound bound : Bound.ALL) {
      if (bound.scenario().equals(relay.scenario().id())) {
        find(scenarioResults, bound.contender())
            .ifPresent(gateway -> lines.add(bound.line(bound.figure(gateway, relay))));
      }
    }
    for (ScenarioResult current : scenarioResults) {
      find(scenarioResults, current.contender() + BASELINE_SUFFIX)
          .ifPresent(
              baseline ->
                  lines.add(
                      String.format(
                          Locale.ROOT,
                          "%-8s %-7s %-8s %.3f times the baseline's CPU, p50 %+.1f us,"
                              + " allocated %+.1f kB",
                          "compared",
                          current.scenario().id(),
                          current.contender(),
                          current.cpuRatio(baseline),
                          current.addedMicros(baseline),
                          (current.allocated() - baseline.allocated()) / 1e3)));
    }
    return lines;
  }

  private static Optional<ScenarioResult> find(List<ScenarioResult> results, String contender) {
    return results.stream().filter(result -> result.contender().equals(contender)).findFirst();
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
