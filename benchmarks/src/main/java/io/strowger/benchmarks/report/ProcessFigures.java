package io.strowger.benchmarks.report;

import io.strowger.benchmarks.http.BlindRelay;
import io.strowger.benchmarks.http.Child;
import io.strowger.benchmarks.http.GatewayProcess;
import io.strowger.benchmarks.http.HttpParty;
import io.strowger.benchmarks.http.JvmCounters;
import io.strowger.benchmarks.http.ProcessUsage;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.Session;
import io.strowger.benchmarks.http.TemporaryFolder;
import io.strowger.simulated.SimulatedUpstream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes repeatedly and measures how soon each listens, its heap and loaded classes after
 * its first answer, and the heap of open streams.
 */
final class ProcessFigures {
  /** The first JDK that can cache loaded and linked classes for {@code -XX:AOTCache}. */
  private static final int KEEPS_CLASSES = 25;

  private final int times;
  private final PrintStream out;
  private final List<Kind> kinds = new ArrayList<>();

  /** A kind of process, and the figures of its starts. */
  private static final class Kind {
    final String name;
    final ReportRow.Role role;
    final @Nullable String against;
    final List<Double> listening = new ArrayList<>();
    final List<Double> heap = new ArrayList<>();
    final List<Double> classes = new ArrayList<>();
    final List<Double> stream = new ArrayList<>();

    Kind(String name, ReportRow.Role role, @Nullable String against) {
      this.name = name;
      this.role = role;
      this.against = against;
    }

    ReportRow row(List<Double> runs) {
      return new ReportRow(name, role, against, runs);
    }
  }

  ProcessFigures(int times, PrintStream out) {
    this.times = times;
    this.out = out;
  }

  /** Starts the kinds in turn, each as often as the constructor says. */
  void run() throws IOException, InterruptedException {
    out.println("starting processes, " + times + " of each kind");
    var kept = new Kind("gateway, in memory, classes kept", ReportRow.Role.OURS, "blind relay");
    var memory = new Kind("gateway, in memory", ReportRow.Role.OURS, "blind relay");
    var durable = new Kind("gateway, with a data directory", ReportRow.Role.OURS, "blind relay");
    var relay = new Kind("blind relay", ReportRow.Role.PEER, null);
    var nothing = new Kind("a program that does nothing", ReportRow.Role.FLOOR, null);
    try (SimulatedUpstream upstream = OpenStreams.upstream();
        TemporaryFolder folder = TemporaryFolder.create("bench-report")) {
      @Nullable Path classes = keptClasses(folder.path());
      for (int i = 0; i < times; i++) {
        if (classes != null) {
          gateway(kept, upstream, false, List.of("-XX:AOTCache=" + classes));
        }
        gateway(memory, upstream, false, List.of());
        gateway(durable, upstream, true, List.of());
        try (Child child =
            Child.start(BlindRelay.class.getName(), upstream.baseUri() + "/chat/completions")) {
          ask(relay, child, HttpParty.relay(child.uri(), () -> ProcessUsage.NONE));
        }
        try (Child child = Child.start(EmptyProgram.class.getName());
            JvmCounters counters = JvmCounters.attach(child.pid())) {
          look(nothing, child, counters);
        }
      }
      kinds.addAll(
          classes == null
              ? List.of(memory, durable, relay, nothing)
              : List.of(kept, memory, durable, relay, nothing));
    }
  }

  /**
   * Creates a class cache, as {@code ./gateway serve} and the image do once; null if the JDK
   * cannot.
   */
  private @Nullable Path keptClasses(Path folder) throws IOException, InterruptedException {
    if (Runtime.version().feature() < KEEPS_CLASSES) {
      return null;
    }
    Path cache = folder.resolve("classes.aot");
    var command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(Child.USUAL_OPTIONS);
    command.addAll(
        List.of(
            "-XX:AOTCacheOutput=" + cache,
            "-cp",
            Child.ownClassPath(),
            "io.strowger.host.Main",
            "train"));
    int code =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    return code == 0 && cache.toFile().isFile() ? cache : null;
  }

  private static void gateway(
      Kind kind, SimulatedUpstream upstream, boolean durable, List<String> options)
      throws IOException {
    var all = new ArrayList<>(Child.USUAL_OPTIONS);
    all.addAll(options);
    try (GatewayProcess gateway =
        GatewayProcess.start(upstream.baseUri(), durable, Child.ownClassPath(), all)) {
      ask(
          kind,
          gateway.child(),
          HttpParty.gateway(kind.name, gateway.child().uri(), () -> ProcessUsage.NONE, () -> 0));
    }
  }

  private static void ask(Kind kind, Child child, HttpParty party) throws IOException {
    try (Session first = party.open(Scenario.of("1k"));
        JvmCounters counters = JvmCounters.attach(child.pid())) {
      look(kind, child, counters);
      kind.stream.add(OpenStreams.kilobytes(party, counters));
    }
  }

  private static void look(Kind kind, Child child, JvmCounters counters) {
    kind.listening.add(child.startTime().toNanos() / 1e6);
    kind.classes.add((double) counters.loadedClasses());
    kind.heap.add(counters.liveHeap() / 1e6);
  }

  List<ReportRow> listening() {
    return kinds.stream().map(kind -> kind.row(kind.listening)).toList();
  }

  List<ReportRow> heap() {
    return kinds.stream().map(kind -> kind.row(kind.heap)).toList();
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
}
