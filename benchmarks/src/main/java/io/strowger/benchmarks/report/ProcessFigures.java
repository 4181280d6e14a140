package io.strowger.benchmarks.report;

import io.strowger.benchmarks.http.BlindRelay;
import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.ClassCache;
import io.strowger.benchmarks.http.GatewayProcess;
import io.strowger.benchmarks.http.HttpContender;
import io.strowger.benchmarks.http.JvmCounters;
import io.strowger.benchmarks.http.ProcessUsage;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.Session;
import io.strowger.benchmarks.http.TemporaryFolder;
import io.strowger.benchmarks.ladder.Starts;
import io.strowger.simulated.SimulatedUpstream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes repeatedly and measures how soon each listens, its heap and loaded classes after
 * its first answer, and the heap of open streams.
 */
final class ProcessFigures {
  private final int times;
  private final PrintStream out;
  private final List<Kind> kinds = new ArrayList<>();

  /** A kind of process, and the figures of its starts. */
  private static final class Kind {
    final String name;
    final ReportRow.Role role;
    final @Nullable String comparedWith;
    final List<Double> listening = new ArrayList<>();
    final List<Double> heap = new ArrayList<>();
    final List<Double> classes = new ArrayList<>();
    final List<Double> stream = new ArrayList<>();

    Kind(String name, ReportRow.Role role, @Nullable String comparedWith) {
      this.name = name;
      this.role = role;
      this.comparedWith = comparedWith;
    }

    ReportRow row(List<Double> runs) {
      return new ReportRow(name, role, comparedWith, runs);
    }
  }

  ProcessFigures(int times, PrintStream out) {
    this.times = times;
    this.out = out;
  }

  /** Starts the kinds in turn, each as often as the constructor says. */
  void run() throws IOException, InterruptedException {
    out.println("starting processes, " + times + " of each kind");
    var cached = new Kind("gateway, in memory, classes kept", ReportRow.Role.OURS, "blind relay");
    var memory = new Kind("gateway, in memory", ReportRow.Role.OURS, "blind relay");
    var durable = new Kind("gateway, with a data directory", ReportRow.Role.OURS, "blind relay");
    var relay = new Kind("blind relay", ReportRow.Role.PEER, null);
    var empty = new Kind("a program that does nothing", ReportRow.Role.FLOOR, null);
    try (SimulatedUpstream upstream = OpenStreams.upstream();
        TemporaryFolder folder = TemporaryFolder.create("bench-report")) {
      @Nullable List<String> cache = ClassCache.train(folder.path());
      for (int i = 0; i < times; i++) {
        if (cache != null) {
          measureGateway(cached, upstream, false, cache);
        }
        measureGateway(memory, upstream, false, ChildProcess.DEFAULT_OPTIONS);
        measureGateway(durable, upstream, true, ChildProcess.DEFAULT_OPTIONS);
        try (ChildProcess child =
            ChildProcess.start(
                BlindRelay.class.getName(), upstream.baseUri() + "/chat/completions")) {
          measure(relay, child, HttpContender.relay(child.uri(), () -> ProcessUsage.NONE));
        }
        try (ChildProcess child = ChildProcess.start(EmptyProgram.class.getName());
            JvmCounters counters = JvmCounters.attach(child.pid())) {
          recordStart(empty, child, counters);
        }
      }
      kinds.addAll(
          cache == null
              ? List.of(memory, durable, relay, empty)
              : List.of(cached, memory, durable, relay, empty));
    }
  }

  private static void measureGateway(
      Kind kind, SimulatedUpstream upstream, boolean durable, List<String> options)
      throws IOException {
    try (GatewayProcess gateway =
        GatewayProcess.start(upstream.baseUri(), durable, ChildProcess.ownClassPath(), options)) {
      measure(
          kind,
          gateway.child(),
          HttpContender.gateway(
              kind.name, gateway.child().uri(), () -> ProcessUsage.NONE, () -> 0));
    }
  }

  private static void measure(Kind kind, ChildProcess child, HttpContender contender)
      throws IOException {
    try (Session session = contender.open(Scenario.of("1k"));
        JvmCounters counters = JvmCounters.attach(child.pid())) {
      recordStart(kind, child, counters);
      kind.stream.add(OpenStreams.kilobytes(contender, counters));
    }
  }

  private static void recordStart(Kind kind, ChildProcess child, JvmCounters counters) {
    kind.listening.add(child.startTime().toNanos() / 1e6);
    kind.classes.add((double) counters.loadedClasses());
    kind.heap.add(counters.liveHeap() / 1e6);
  }

  /** Returns the row of a gateway with the limit, and any other row as it is. */
  private static ReportRow limited(ReportRow row, String unit, double most) {
    return row.role() == ReportRow.Role.OURS ? row.withMedianLimit(unit, most) : row;
  }

  List<ReportRow> listening() {
    return kinds.stream()
        .map(kind -> limited(kind.row(kind.listening), "ms", Starts.LISTENING_MS))
        .toList();
  }

  List<ReportRow> heap() {
    return kinds.stream().map(kind -> limited(kind.row(kind.heap), "MB", Starts.HEAP_MB)).toList();
  }

  /** Returns the rows of the kinds that were measured with streams. */
  List<ReportRow> streams() {
    return kinds.stream()
        .filter(kind -> !kind.stream.isEmpty() && !kind.name.endsWith("kept"))
        .map(kind -> kind.row(kind.stream))
        .toList();
  }

  List<ReportRow> classes() {
    return kinds.stream().map(kind -> kind.row(kind.classes)).toList();
  }

  /** A program that only announces itself: the floor for the cost of a JVM process. */
  static final class EmptyProgram {
    private EmptyProgram() {}

    /**
     * Announces an address, although nothing listens there, and waits until the parent ends.
     *
     * @param args none
     */
    public static void main(String[] args) {
      ChildProcess.announceAndWait("none:0");
    }
  }
}
