package io.strowger.benchmarks.report;

import static io.strowger.benchmarks.report.ReportRow.Role.FLOOR;
import static io.strowger.benchmarks.report.ReportRow.Role.OURS;
import static io.strowger.benchmarks.report.ReportRow.Role.PEER;

import io.strowger.benchmarks.BenchOptions;
import io.strowger.benchmarks.http.Bound;
import io.strowger.benchmarks.http.HttpComparison;
import io.strowger.benchmarks.http.ScenarioResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;

/** {@code bench report}: measures the figures of the report and writes the page. */
public final class ReportBench {
  private static final String USAGE =
      """
      report takes --quick      fewer and shorter runs; then only ratios are reliable
                   --out DIR    where report.html and report.json go (benchmarks/target)
                   --from FILE  makes the page of an earlier report.json, and measures nothing
      """;

  /** The benchmarks that JMH runs. */
  static final List<JmhFigures.JmhSelection> SELECTIONS =
      List.of(
          new JmhFigures.JmhSelection(
              "PlanBenchmark",
              List.of("decide", "planWithJavaStreams", "roundRobinPick"),
              "endpoints",
              List.of("5")),
          new JmhFigures.JmhSelection(
              "PlanBenchmark",
              List.of("decideSorted", "planWithJavaStreamsSorted"),
              "endpoints",
              List.of("50")),
          new JmhFigures.JmhSelection(
              "ReadBenchmark",
              List.of("readAndCheck", "scan", "tree"),
              "body",
              List.of("1k", "32k")),
          new JmhFigures.JmhSelection(
              "StreamBenchmark", List.of("relay", "tokens", "trees"), "chunks", List.of("text")),
          new JmhFigures.JmhSelection(
              "KeyBenchmark", List.of("admitHoldSettle", "sha256Key"), "keyCount", List.of("100")),
          new JmhFigures.JmhSelection(
              "StoredKeyBenchmark", List.of("admitHoldSettle"), "store", List.of("h2")));

  private static final String MICROS = "\u00b5s";

  /** The number of runs of measurements without laps or iterations. */
  private static final int RUNS = 5;

  /** The longest warm-up of all servers of a scenario together. */
  private static final String WARM_UP_SECONDS = "180";

  private final boolean quick;
  private final PrintStream out;
  private final JmhFigures jmh;

  private ReportBench(boolean quick, PrintStream out) {
    this.quick = quick;
    this.out = out;
    this.jmh = new JmhFigures(quick, out);
  }

  /**
   * Measures, or reads an earlier measurement, and writes the page.
   *
   * @return the exit code
   */
  public static int run(String[] args, PrintStream out) throws Exception {
    return BenchOptions.run(
        args,
        USAGE,
        out,
        line -> BenchOptions.parse(line, List.of(BenchOptions.QUICK, "--out", "--from")),
        arguments -> run(arguments, out));
  }

  private static int run(BenchOptions arguments, PrintStream out) throws Exception {
    String reports = System.getProperty("strowger.reports", ".");
    Path folder = Path.of(Objects.requireNonNullElse(arguments.last("--out"), reports));
    String earlier = arguments.last("--from");
    Files.createDirectories(folder);
    Path from = earlier == null ? folder.resolve("report.json") : Path.of(earlier);
    if (earlier == null) {
      new ReportBench(arguments.has(BenchOptions.QUICK), out).measure(from);
    }
    Path page = folder.resolve("report.html");
    Files.writeString(page, HtmlReport.of(ReportData.read(from)));
    out.println("written to " + page.toAbsolutePath());
    return 0;
  }

  /** Measures all parts and writes the data after each one, because a later one may fail. */
  private void measure(Path file) throws Exception {
    Instant start = Instant.now();
    var sections = new ArrayList<ReportSection>();
    for (Callable<List<ReportSection>> part :
        List.<Callable<List<ReportSection>>>of(
            this::measureInProcess, this::measureOverHttp, this::measureProcesses)) {
      sections.addAll(part.call());
      Files.write(
          file, new ReportData(MachineFacts.facts(start, quick), sections).toJson().toBytes());
    }
  }

  private List<ReportSection> measureInProcess() throws RunnerException {
    for (JmhFigures.JmhSelection selection : SELECTIONS) {
      jmh.run(selection);
    }
    String method =
        "JMH, one fork; a run is an iteration of a second after "
            + (quick ? "two" : "five")
            + " that do not count.";
    return List.of(
        new ReportSection(
            "deciding",
            "Deciding",
            "How long does it take to choose where a request goes, by price, health, rules and"
                + " preferences?",
            "ns",
            "./gateway bench jmh PlanBenchmark. " + method,
            decisions()),
        new ReportSection(
            "validating",
            "Reading and validating",
            "How long does it take to read a body and check it against every rule of the contract?",
            MICROS,
            "./gateway bench jmh ReadBenchmark. The floor goes through the tokens with Jackson, the"
                + " peer makes a tree of them; neither checks a rule. "
                + method,
            bodies()),
        new ReportSection(
            "streaming",
            "Streaming",
            "How long does a chunk of an answer take from the upstream's bytes to the caller's,"
                + " metered?",
            "ns",
            "./gateway bench jmh StreamBenchmark. The peers only parse each chunk. " + method,
            chunks()),
        new ReportSection(
            "ledger",
            "The ledger",
            "What does it cost to authenticate a key, hold money for a request on all its"
                + " limits, and settle it?",
            "ns",
            "./gateway bench jmh KeyBenchmark. The floor is the SHA-256 of the key, which every"
                + " gateway needs that stores no secrets. "
                + method,
            ledgerRows()),
        new ReportSection(
            "allocation",
            "Allocation",
            "How many bytes does each of these allocate?",
            "B",
            "The same runs as above; JMH's profiler of garbage collection counts the bytes.",
            allocation()));
  }

  private static ReportRow row(
      String name, ReportRow.Role role, @Nullable String comparedWith, List<Double> runs) {
    return new ReportRow(name, role, comparedWith, runs);
  }

  private List<ReportRow> decisions() {
    String streams5 = "5 endpoints, rules as JDK streams";
    String streams50 = "50 endpoints, sorted, JDK streams";
    return List.of(
        row("a decision, 5 endpoints", OURS, streams5, jmh.times("PlanBenchmark.decide 5")),
        row(streams5, PEER, null, jmh.times("PlanBenchmark.planWithJavaStreams 5")),
        row("round robin, no rules", FLOOR, null, jmh.times("PlanBenchmark.roundRobinPick 5")),
        row(
            "a decision, 50 endpoints, sorted",
            OURS,
            streams50,
            jmh.times("PlanBenchmark.decideSorted 50")),
        row(streams50, PEER, null, jmh.times("PlanBenchmark.planWithJavaStreamsSorted 50")));
  }

  private List<ReportRow> bodies() {
    var rows = new ArrayList<ReportRow>();
    for (String body : List.of("1k", "32k")) {
      String floor = body + ", tokens only";
      rows.add(
          row(
              body + ", read and checked",
              OURS,
              floor,
              jmh.times("ReadBenchmark.readAndCheck " + body)));
      rows.add(row(floor, FLOOR, null, jmh.times("ReadBenchmark.scan " + body)));
      rows.add(row(body + ", a tree", PEER, floor, jmh.times("ReadBenchmark.tree " + body)));
    }
    return rows;
  }

  private List<ReportRow> chunks() {
    return List.of(
        row(
            "a chunk, relayed and metered",
            OURS,
            "a chunk, tokens only",
            jmh.times("StreamBenchmark.relay text")),
        row("a chunk, tokens only", PEER, null, jmh.times("StreamBenchmark.tokens text")),
        row(
            "a chunk, a tree",
            PEER,
            "a chunk, tokens only",
            jmh.times("StreamBenchmark.trees text")));
  }

  private List<ReportRow> ledgerRows() {
    return List.of(
        row(
            "admit, hold, settle",
            OURS,
            "SHA-256 of the key",
            jmh.times("KeyBenchmark.admitHoldSettle 100")),
        row(
            "the same, on disk before the answer",
            OURS,
            "SHA-256 of the key",
            jmh.times("StoredKeyBenchmark.admitHoldSettle h2")),
        row("SHA-256 of the key", FLOOR, null, jmh.times("KeyBenchmark.sha256Key 100")));
  }

  private List<ReportRow> allocation() {
    return List.of(
        row(
            "a decision, 5 endpoints",
            OURS,
            "the same as JDK streams",
            jmh.bytes("PlanBenchmark.decide 5")),
        row(
            "the same as JDK streams",
            PEER,
            null,
            jmh.bytes("PlanBenchmark.planWithJavaStreams 5")),
        row(
            "a body of 1k, read and checked",
            OURS,
            "a tree of it",
            jmh.bytes("ReadBenchmark.readAndCheck 1k")),
        row("a tree of it", PEER, null, jmh.bytes("ReadBenchmark.tree 1k")),
        row(
            "a chunk, relayed and metered",
            OURS,
            "a tree of the chunk",
            jmh.bytes("StreamBenchmark.relay text")),
        row("a tree of the chunk", PEER, null, jmh.bytes("StreamBenchmark.trees text")),
        row(
            "admit, hold, settle",
            OURS,
            "SHA-256 of the key, alone",
            jmh.bytes("KeyBenchmark.admitHoldSettle 100")),
        row("SHA-256 of the key, alone", FLOOR, null, jmh.bytes("KeyBenchmark.sha256Key 100")));
  }

  private List<ReportSection> measureOverHttp() throws Exception {
    var arguments = new ArrayList<>(List.of("--scenario", "1k", "--scenario", "stream"));
    if (quick) {
      arguments.add("--quick");
    } else {
      arguments.addAll(List.of("--warm-up", WARM_UP_SECONDS)); // ends sooner when figures settle
    }
    List<List<ScenarioResult>> results =
        HttpComparison.measure(arguments.toArray(String[]::new), out);
    List<ScenarioResult> shortResults = results.getFirst();
    List<ScenarioResult> streams = results.getLast();
    String method =
        "./gateway bench http: every server in a process of its own, in turn. The relay is the same"
            + " web server and the same HTTP client with nothing between them; direct calls reach"
            + " the upstream, which answers at once. ";
    return List.of(
        new ReportSection(
            "overhead",
            "Gateway overhead: latency",
            "How long does a caller wait for a whole call of 1 KB, when upstreams take no time?",
            MICROS,
            method + "The median of one request at a time; a run is a fifth of the time.",
            contenders(shortResults, Bound.Measure.ADDED_MICROS, result -> result.medians(RUNS))),
        new ReportSection(
            "processor",
            "Gateway overhead: processor time",
            "How much processor time does a whole call of 1 KB take in the gateway's process?",
            MICROS,
            method + "16 connections at once; a run is a lap. Direct: the upstream's own.",
            contenders(shortResults, Bound.Measure.CPU_RATIO, ScenarioResult::cpuByLap)),
        new ReportSection(
            "rate",
            "Requests a second",
            "How many calls of 1 KB a second does one gateway answer, sharing the machine with its"
                + " callers and its upstream?",
            "/s",
            method + "16 connections at once; a run is a lap.",
            contenders(shortResults, null, ScenarioResult::rateByLap)),
        new ReportSection(
            "streams",
            "A stream of 200 chunks: processor time",
            "How much processor time does a whole stream take in the gateway's process?",
            MICROS,
            method + "16 connections at once; a run is a lap. Direct: the upstream's own.",
            contenders(streams, Bound.Measure.CPU_RATIO, ScenarioResult::cpuByLap)),
        new ReportSection(
            "garbage",
            "Allocation of a whole call",
            "How much does a whole call of 1 KB allocate in the gateway's process?",
            "kB",
            method + "16 connections at once; a run is a lap. Direct: the upstream's own.",
            contenders(shortResults, Bound.Measure.KILOBYTES, ScenarioResult::kilobytesByLap)));
  }

  /**
   * Returns a row for each contender.
   *
   * @param limited the figure of the gateways that may have a limit; null for none
   * @param figure returns the runs of a row
   */
  private static List<ReportRow> contenders(
      List<ScenarioResult> results,
      Bound.@Nullable Measure limited,
      Function<ScenarioResult, List<Double>> figure) {
    ScenarioResult relay =
        results.stream()
            .filter(result -> result.contender().equals(HttpComparison.RELAY))
            .findFirst()
            .orElseThrow();
    var rows = new ArrayList<ReportRow>();
    for (ScenarioResult result : results) {
      List<Double> runs = figure.apply(result);
      switch (result.contender()) {
        case "direct" -> rows.add(row("direct", FLOOR, null, runs));
        case HttpComparison.RELAY -> rows.add(row("blind relay", PEER, null, runs));
        default -> {
          ReportRow row = row("gateway, " + result.contender(), OURS, "blind relay", runs);
          rows.add(limited == null ? row : withLimit(row, limited, result, relay));
        }
      }
    }
    return rows.reversed();
  }

  private static ReportRow withLimit(
      ReportRow row, Bound.Measure measure, ScenarioResult gateway, ScenarioResult relay) {
    return Bound.find(gateway.scenario().id(), gateway.contender(), measure)
        .map(
            bound ->
                row.withLimit(
                    new ReportLimit(
                        measure.description(), bound.figure(gateway, relay), bound.bound())))
        .orElse(row);
  }

  private List<ReportSection> measureProcesses() throws IOException, InterruptedException {
    var processes = new ProcessFigures(quick ? 3 : RUNS, out);
    processes.run();
    String method =
        "./gateway bench start: each start is that of a fresh JVM with the class path of the"
            + " benchmarks; a run is a start. ";
    return List.of(
        new ReportSection(
            "start",
            "Starting",
            "How soon after the start of its process does a server listen?",
            "ms",
            method + "Classes kept: as ./gateway serve and the container image do.",
            processes.listening()),
        new ReportSection(
            "heap",
            "Idle heap",
            "How much is in the heap of a server after one answer, when there are no requests?",
            "MB",
            method + "After a collection. What reads the counter is included everywhere.",
            processes.heap()),
        new ReportSection(
            "open",
            "Memory of an open stream",
            "How much of its heap does a server need for a stream that waits for its next chunk?",
            "kB",
            OpenStreams.COUNT
                + " streams at a time, a connection each; after a collection. A run is a process.",
            processes.streams()),
        new ReportSection(
            "classes",
            "Classes loaded",
            "How many classes has a server loaded after one answer?",
            "classes",
            method + "What reads the counter is included everywhere.",
            processes.classes()));
  }
}
