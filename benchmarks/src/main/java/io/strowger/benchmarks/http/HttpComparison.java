package io.strowger.benchmarks.http;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What does the whole HTTP gateway add to a call, and how much processor time and memory does it
 * take? Compares it with a relay of the same libraries without logic and with direct calls: all in
 * turn on one connection each, then in turn with several connections at once. One gateway keeps
 * everything in memory, one has a data directory.
 *
 * <p>Every server is a process of its own; direct calls show the cost of the upstream itself. The
 * bounds are those of {@link Bound}.
 */
public final class HttpComparison {
  static final String MEMORY = "memory";
  static final String DURABLE = "durable";
  private static final String RELAY = "relay";
  private static final String BEFORE = " before";
  private static final int LAPS = 5;

  private final PrintStream out;
  private final HttpOptions options;
  private final List<Party> parties = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();
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
    if (List.of(args).contains("--help")) {
      out.print(HttpOptions.USAGE);
      return 0;
    }
    HttpOptions options;
    try {
      options = HttpOptions.of(args);
    } catch (IllegalArgumentException notUnderstood) {
      out.println("not understood: " + notUnderstood.getMessage());
      out.print(HttpOptions.USAGE);
      return 2;
    }
    var comparison = new HttpComparison(out, options);
    comparison.compare();
    comparison.print();
    return 0;
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
      for (AutoCloseable one : open.reversed()) {
        one.close();
      }
    }
  }

  private void start() throws IOException {
    say("starting each server in a process of its own ...");
    Child upstream = opened(Child.start(Upstream.class.getName()));
    parties.add(HttpParty.direct(upstream.uri(), counters(upstream)::usage));
    Child relay =
        opened(Child.start(BlindRelay.class.getName(), upstream.uri() + "/chat/completions"));
    parties.add(HttpParty.relay(relay.uri(), counters(relay)::usage));
    gateways(upstream.uri(), Child.ownClassPath(), "");
    String baseline = options.baseline();
    if (baseline != null) {
      gateways(upstream.uri(), baseline, BEFORE);
    }
  }

  private void gateways(URI upstream, String classPath, String suffix) throws IOException {
    if (options.memory()) {
      gateway(upstream, false, classPath, MEMORY + suffix);
    }
    if (options.durable()) {
      gateway(upstream, true, classPath, DURABLE + suffix);
    }
  }

  private void gateway(URI upstream, boolean durable, String classPath, String name)
      throws IOException {
    GatewayProcess process = opened(GatewayProcess.start(upstream, durable, classPath));
    parties.add(
        HttpParty.gateway(
            name, process.child().uri(), counters(process.child())::usage, process::bytesOnDisk));
  }

  private JvmCounters counters(Child child) throws IOException {
    return opened(JvmCounters.attach(child.pid()));
  }

  private <T extends AutoCloseable> T opened(T one) {
    open.add(one);
    return one;
  }

  private List<ScenarioResult> compare(Scenario scenario) throws IOException, InterruptedException {
    try (var duel = new Duel(scenario, parties)) {
      say(scenario.name() + ": warming up for at most " + seconds(options.plan().warmUp()));
      String warm =
          new WarmUp(parties.size(), options.plan().warmUp())
              .run(
                  (party, time) ->
                      duel.saturate(party, options.plan().connections(), time).cpuMicros());
      say(scenario.name() + ": " + warm);
      say(scenario.name() + ": one request at a time for " + seconds(options.plan().turns()));
      List<Duel.Score> scores = duel.run(options.plan().turns());
      return loaded(scenario, duel, scores);
    }
  }

  private List<ScenarioResult> loaded(Scenario scenario, Duel duel, List<Duel.Score> scores)
      throws IOException, InterruptedException {
    say(
        "%s: %d connections at once, %d laps of %s for each"
            .formatted(
                scenario.name(),
                options.plan().connections(),
                LAPS,
                seconds(options.plan().load().dividedBy(LAPS))));
    long[] disk = parties.stream().mapToLong(Party::bytesOnDisk).toArray();
    List<List<Duel.Load>> loads =
        duel.laps(LAPS, options.plan().connections(), options.plan().load());
    var all = new ArrayList<ScenarioResult>();
    for (int i = 0; i < parties.size(); i++) {
      long grown = parties.get(i).bytesOnDisk() - disk[i];
      all.add(new ScenarioResult(scenario, scores.get(i), loads.get(i), grown));
    }
    return all;
  }

  private void print() {
    say("\n" + ScenarioResult.HEADINGS);
    for (List<ScenarioResult> scenario : results) {
      scenario.forEach(result -> say(result.line(scenario.getFirst())));
      say("");
    }
    say(
        """
        +p50, +p99: to direct calls, p50 paired turn by turn. First CPU: of the party's process per
        request, one at a time; then with several connections at once, the median of the laps, and
        what its Java threads allocated per request. Of direct: the upstream's.
        """);
    for (List<ScenarioResult> scenario : results) {
      beside(scenario).forEach(this::say);
    }
  }

  /** Returns lines about the bounds, and the comparison with the baseline build. */
  private static List<String> beside(List<ScenarioResult> scenario) {
    ScenarioResult relay = named(scenario, RELAY).orElseThrow();
    var lines = new ArrayList<String>();
    for (Bound bound : Bound.ALL) {
      if (bound.scenario().equals(relay.scenario().id())) {
        named(scenario, bound.party())
            .ifPresent(gateway -> lines.add(bound.line(bound.figure(gateway, relay))));
      }
    }
    for (ScenarioResult now : scenario) {
      named(scenario, now.party() + BEFORE)
          .ifPresent(
              before ->
                  lines.add(
                      String.format(
                          Locale.ROOT,
                          "%-8s %-7s %-8s %.3f times the CPU before, p50 %+.1f us, %+.1f kB",
                          "compared",
                          now.scenario().id(),
                          now.party(),
                          now.cpuRatio(before),
                          now.addedMicros(before),
                          (now.allocated() - before.allocated()) / 1e3)));
    }
    return lines;
  }

  private static Optional<ScenarioResult> named(List<ScenarioResult> results, String party) {
    return results.stream().filter(result -> result.party().equals(party)).findFirst();
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
