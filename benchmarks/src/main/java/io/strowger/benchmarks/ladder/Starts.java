package io.strowger.benchmarks.ladder;

import com.sun.net.httpserver.HttpServer;
import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.ClassCache;
import io.strowger.benchmarks.http.GatewayProcess;
import io.strowger.benchmarks.http.HttpContender;
import io.strowger.benchmarks.http.JvmCounters;
import io.strowger.benchmarks.http.ProcessUsage;
import io.strowger.benchmarks.http.Samples;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.Session;
import io.strowger.benchmarks.http.TemporaryFolder;
import io.strowger.benchmarks.http.Upstream;
import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures how soon a gateway serves, with the classes that an earlier start kept and without, and
 * how much memory it needs when idle. Every start is in a new process; each figure is the median of
 * several starts.
 */
public final class Starts {
  private static final int STARTS = 5;

  /** The most milliseconds that a gateway should need until it listens. */
  public static final int LISTENING_MS = 1_000;

  private static final int ANSWER_MS = 150;

  /** The most megabytes that the heap of an idle gateway should have in use. */
  public static final int HEAP_MB = 20;

  private static final int ENGINE_MS = 300;

  private final Samples listening = new Samples();
  private final Samples firstAnswer = new Samples();
  private final Samples heap = new Samples();

  private Starts() {}

  /**
   * Measures the host in memory and with a data directory, each also with the classes that an
   * earlier start kept if this JDK can keep them, and the engine alone; before them the JDK's own
   * HTTP server alone, which says how fast this machine starts a Java program.
   *
   * @param args none
   * @return the exit code
   */
  public static int run(String[] args, PrintStream out) throws IOException, InterruptedException {
    if (args.length > 0) {
      out.println("start takes no arguments");
      return 2;
    }
    out.printf("medians of %d starts, each in a new JVM:%n", STARTS);
    var bareServer = new Samples();
    for (int i = 0; i < STARTS; i++) {
      bareServer.add(startBareServer());
    }
    out.printf(
        Locale.ROOT,
        "  %-58s %8.0f ms%n",
        "the JDK's HTTP server alone: listening after",
        bareServer.quantile(0.5) / 1e6);
    try (ChildProcess upstream = ChildProcess.start(Upstream.class.getName());
        TemporaryFolder folder = TemporaryFolder.create("bench-start")) {
      @Nullable List<String> cache = ClassCache.train(folder.path());
      for (boolean durable : new boolean[] {false, true}) {
        String store = durable ? "durable" : "memory";
        if (cache != null) {
          measureHost(upstream, durable, cache, store + ", classes kept", out);
        }
        measureHost(upstream, durable, ChildProcess.DEFAULT_OPTIONS, store, out);
      }
    }
    var engine = new Samples();
    for (int i = 0; i < STARTS; i++) {
      engine.add(startEngine());
    }
    print("engine-core alone, built in its process", engine.quantile(0.5) / 1e6, ENGINE_MS, out);
    out.println();
    return 0;
  }

  private static void measureHost(
      ChildProcess upstream, boolean durable, List<String> options, String kind, PrintStream out)
      throws IOException {
    var starts = new Starts();
    for (int i = 0; i < STARTS; i++) {
      starts.measureHost(upstream, durable, options);
    }
    starts.print(kind, out);
  }

  private void measureHost(ChildProcess upstream, boolean durable, List<String> options)
      throws IOException {
    try (GatewayProcess gateway =
            GatewayProcess.start(upstream.uri(), durable, ChildProcess.ownClassPath(), options);
        JvmCounters counters = JvmCounters.attach(gateway.child().pid())) {
      listening.add(gateway.child().startTime().toNanos());
      var contender =
          HttpContender.gateway("host", gateway.child().uri(), () -> ProcessUsage.NONE, () -> 0);
      long before = System.nanoTime();
      try (Session session = contender.open(Scenario.of("1k"))) {
        firstAnswer.add(System.nanoTime() - before);
      }
      heap.add(counters.liveHeap());
    }
  }

  private static long startBareServer() throws IOException {
    try (ChildProcess child = ChildProcess.start(BareServer.class.getName())) {
      return child.startTime().toNanos();
    }
  }

  private static long startEngine() throws IOException {
    try (ChildProcess child = ChildProcess.start(List.of(), EngineStart.class.getName())) {
      return Long.parseLong(child.uri().getSchemeSpecificPart());
    }
  }

  private void print(String kind, PrintStream out) {
    print("host, " + kind + ": listening after", listening.quantile(0.5) / 1e6, LISTENING_MS, out);
    print("host, " + kind + ": first answer", firstAnswer.quantile(0.5) / 1e6, ANSWER_MS, out);
    double megabytes = heap.quantile(0.5) / 1e6;
    out.printf(
        Locale.ROOT,
        "  %-58s %8.1f MB, at most %d wanted%n",
        "host, " + kind + ": heap in use after collection",
        megabytes,
        HEAP_MB);
  }

  private static void print(String label, double millis, int aim, PrintStream out) {
    out.printf(Locale.ROOT, "  %-58s %8.0f ms, at most %d wanted%n", label, millis, aim);
  }

  /** Starts the JDK's HTTP server, and nothing else. */
  static final class BareServer {
    private BareServer() {}

    /**
     * Listens on a free port of this machine until the parent process ends.
     *
     * @param args none
     */
    public static void main(String[] args) throws IOException {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      HttpServer server = HttpServer.create(address, 0);
      server.start();
      ChildProcess.announceAndWait("http://127.0.0.1:" + server.getAddress().getPort());
    }
  }

  /** Starts the engine alone, without host, stores or adapters, and prints how long it took. */
  static final class EngineStart {
    private EngineStart() {}

    /**
     * Measures the time from the first statement of the program to a usable gateway.
     *
     * @param args none
     */
    public static void main(String[] args) {
      var ambient = new SystemAmbient();
      long before = ambient.nanoTime();
      try (Gateway gateway =
          Gateway.builder(Layers.config(URI.create("http://127.0.0.1:1/v1")))
              .allowMissingParts()
              .build()) {
        gateway.readiness();
        ChildProcess.announceAndWait("engine:" + (ambient.nanoTime() - before));
      }
    }
  }
}
