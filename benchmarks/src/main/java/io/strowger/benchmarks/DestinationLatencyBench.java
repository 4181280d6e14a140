package io.strowger.benchmarks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.strowger.benchmarks.http.Contender;
import io.strowger.benchmarks.http.InterleavedComparison;
import io.strowger.benchmarks.http.ProcessUsage;
import io.strowger.benchmarks.http.Samples;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.Session;
import io.strowger.benchmarks.http.Upstream;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.SimulatedUpstream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * {@code ./gateway bench destinations}: measures whether a call waits for an observability
 * destination that does not work. Calls three gateways alternately, all in this process, so that
 * disturbances of the machine affect all of them alike: one without destinations, one with three
 * destinations that hang (they accept the connection and never answer), and one with three that
 * answer 500.
 *
 * <p>Lower bound: the gateway without destinations. A second gateway without destinations shows how
 * large a difference between equal gateways is. The queues of the broken destinations are full
 * before anything is measured, so every measured call is dropped for each of them.
 */
final class DestinationLatencyBench implements AutoCloseable {
  static final String USAGE =
      """
      destinations takes --seconds N  how long to call, 1 to 600 (60), after a warm-up half as long
      """;

  private static final String FLOOR = "none";
  private static final Scenario SCENARIO = Scenario.of("1k");
  private static final int DEFAULT_SECONDS = 60;
  private static final int MAX_SECONDS = 600;

  private final SimulatedUpstream upstream = Upstream.start();
  private final ApacheTransport transport = new ApacheTransport();
  private final ApacheTransport destinationTransport = new ApacheTransport();
  private final List<Receiver> receivers = new ArrayList<>();
  private final List<GatewayContender> contenders = new ArrayList<>();

  private DestinationLatencyBench() throws IOException {
    contenders.add(withoutDestinations(FLOOR));
    contenders.add(withoutDestinations("none again"));
    contenders.add(withDestinations("hanging", true));
    contenders.add(withDestinations("failing", false));
  }

  /**
   * The figures of one gateway.
   *
   * @param p50Micros the median of all its calls
   * @param addedMicros how much longer its median call takes than the floor's in the same round:
   *     the median over all rounds
   * @param dropped the calls that were dropped because a queue was full
   */
  record Row(
      String name,
      int calls,
      double p50Micros,
      double p99Micros,
      double addedMicros,
      long dropped) {
    static final String HEADINGS =
        "destinations     calls    p50 us    p99 us   added us (median of rounds)    dropped";

    String line() {
      return String.format(
          Locale.ROOT,
          "%-12s %9d %9.1f %9.1f %10.1f %29d",
          name,
          calls,
          p50Micros,
          p99Micros,
          addedMicros,
          dropped);
    }
  }

  /**
   * @return the exit code: 0 when it was measured, 2 when the command line was not understood
   */
  static int run(String[] args, PrintStream out) throws Exception {
    return BenchOptions.run(
        args,
        USAGE,
        out,
        line ->
            BenchOptions.parse(line, List.of("--seconds"))
                .number("--seconds", DEFAULT_SECONDS, MAX_SECONDS),
        seconds -> run(seconds, out));
  }

  private static int run(int seconds, PrintStream out) throws IOException {
    try (var latency = new DestinationLatencyBench()) {
      out.println("filling the queues of the broken destinations and warming up ...");
      latency.fillQueues();
      latency.measure(Duration.ofSeconds(seconds).dividedBy(2));
      out.println("calling for " + seconds + " seconds ...\n\n" + Row.HEADINGS);
      latency.measure(Duration.ofSeconds(seconds)).forEach(row -> out.println(row.line()));
    }
    return 0;
  }

  /** Measures for a time, with full queues. */
  static List<Row> measureFor(Duration time) throws IOException {
    try (var latency = new DestinationLatencyBench()) {
      latency.fillQueues();
      return latency.measure(time);
    }
  }

  private GatewayContender withoutDestinations(String name) {
    var gateway = new EmbeddedGateway(transport, upstream.baseUri(), Upstream.SHORT);
    return new GatewayContender(name, gateway, false);
  }

  private GatewayContender withDestinations(String name, boolean hangs) throws IOException {
    var receiver = new Receiver(hangs);
    receivers.add(receiver);
    EmbeddedGateway gateway =
        EmbeddedGateway.withDestinations(
            transport,
            upstream.baseUri(),
            Upstream.SHORT,
            false,
            "1",
            destinationTransport,
            receiver.uri());
    return new GatewayContender(name, gateway, true);
  }

  /** Calls the gateways with broken destinations until every queue has run over. */
  private void fillQueues() throws IOException {
    for (GatewayContender contender : contenders) {
      while (contender.hasDestinations && contender.gateway.dropped() == 0) {
        contender.call(); // never ends if nothing is dropped
      }
    }
  }

  private List<Row> measure(Duration time) throws IOException {
    try (var comparison = new InterleavedComparison(SCENARIO, contenders)) {
      List<InterleavedComparison.SerialResult> results = comparison.run(time);
      InterleavedComparison.SerialResult floor = results.getFirst();
      var rows = new ArrayList<Row>();
      for (int i = 0; i < results.size(); i++) {
        InterleavedComparison.SerialResult result = results.get(i);
        Samples samples = result.allSamples();
        rows.add(
            new Row(
                contenders.get(i).name(),
                samples.size(),
                samples.quantile(0.5) / 1e3,
                samples.quantile(0.99) / 1e3,
                result.addedMedian(floor) / 1e3,
                contenders.get(i).gateway.dropped()));
      }
      return rows;
    }
  }

  @Override
  public void close() {
    receivers.forEach(Receiver::close); // first, so that no gateway waits for one that hangs
    contenders.forEach(contender -> contender.gateway.close());
    destinationTransport.close();
    transport.close();
    upstream.close();
  }

  /** A gateway in this process. Its usage is not measured: all gateways share the process. */
  private static final class GatewayContender implements Contender {
    private final String name;
    private final EmbeddedGateway gateway;
    private final boolean hasDestinations;
    private final byte[] body = SCENARIO.body(GatewayConfigs.MODEL_PREFIX);
    private final ByteArrayOutputStream answer = new ByteArrayOutputStream();

    GatewayContender(String name, EmbeddedGateway gateway, boolean hasDestinations) {
      this.name = name;
      this.gateway = gateway;
      this.hasDestinations = hasDestinations;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public ProcessUsage usage() {
      return ProcessUsage.NONE;
    }

    @Override
    public Session open(Scenario scenario) throws IOException {
      answer.reset();
      int status = gateway.chat(body, answer);
      scenario.check(name, status, answer.toString(StandardCharsets.UTF_8));
      return new CallSession(this);
    }

    void call() throws IOException {
      answer.reset();
      int status = gateway.chat(body, answer);
      if (status != 200) {
        SCENARIO.check(name, status, answer.toString(StandardCharsets.UTF_8));
      }
    }
  }

  private record CallSession(GatewayContender contender) implements Session {
    @Override
    public Samples sendSequentially(int requests) throws IOException {
      var samples = new Samples();
      for (int i = 0; i < requests; i++) {
        long before = System.nanoTime();
        contender.call();
        samples.add(System.nanoTime() - before);
      }
      return samples;
    }

    @Override
    public int load(int callers, Duration time) {
      throw new UnsupportedOperationException("one caller only");
    }

    @Override
    public void close() {
      // the gateway stays open for the next measurement
    }
  }

  /** A server on loopback for the requests to destinations, which hangs or answers 500. */
  private static final class Receiver implements AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    Receiver(boolean hangs) throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext("/", exchange -> answer(exchange, hangs));
      server.start();
    }

    private void answer(HttpExchange exchange, boolean hangs) throws IOException {
      try (exchange) {
        if (hangs) {
          closed.await();
          return;
        }
        exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        exchange.sendResponseHeaders(500, -1);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    URI uri() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
      closed.countDown();
      server.stop(0);
      threads.shutdownNow();
    }
  }
}
