package io.strowger.benchmarks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.provider.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Does a call wait for an observability destination that does not work? Measures the latency of
 * calls over real HTTP, with its percentiles, beside three destinations that hang (they accept the
 * connection and never answer) or answer 500.
 *
 * <p>Floor: {@code none}, the same call of a gateway without destinations. {@code answering},
 * destinations that take everything they are sent, is there for comparison only: its receiver works
 * on the same processors as the caller. The queues of the broken ones are full within seconds, and
 * every call is then dropped for each of them: this is the state that is measured. Filling the
 * queues lies in the warm-up.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = DestinationLatencyBenchmark.WARM_UP_ITERATIONS, time = 5)
@Measurement(iterations = 5, time = 2)
@State(Scope.Thread)
public class DestinationLatencyBenchmark {
  static final int WARM_UP_ITERATIONS = 12;
  private static final String MODEL = "short";

  /** What the destinations do. */
  @Param({"none", "answering", "hanging", "failing"})
  public String destinations = "none";

  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private final byte[] body = ChatBodies.named("1k", GatewayConfigs.MODEL_PREFIX + MODEL, false);

  private SimulatedUpstream upstream;
  private Transport transport;
  private Transport destinationTransport;
  private EmbeddedGateway gateway;
  private @Nullable Receiver receiver;
  private int iterations;

  @Setup
  public void setUp() throws IOException {
    upstream =
        SimulatedUpstream.start(new SystemAmbient())
            .script(
                MODEL, Script.builder().text("A few words. ".repeat(25)).tokens(250, 75).build());
    transport = new ApacheTransport();
    destinationTransport = new ApacheTransport();
    if (destinations.equals("none")) {
      gateway = new EmbeddedGateway(transport, upstream.baseUri(), MODEL);
    } else {
      receiver = new Receiver(destinations);
      gateway =
          EmbeddedGateway.withDestinations(
              transport,
              upstream.baseUri(),
              MODEL,
              false,
              "1",
              destinationTransport,
              receiver.uri());
    }
  }

  /** Checks that what is measured is the state after the queues have run over. */
  @TearDown(Level.Iteration)
  public void requireDrops() {
    boolean isBroken = destinations.equals("hanging") || destinations.equals("failing");
    if (isBroken && ++iterations > WARM_UP_ITERATIONS && gateway.dropped() == 0) {
      throw new IllegalStateException("no queue has run over: warm up for longer");
    }
  }

  @TearDown
  public void tearDown() {
    if (receiver != null) {
      receiver.close(); // first, so that closing the gateway does not wait for one that hangs
    }
    gateway.close();
    destinationTransport.close();
    transport.close();
    upstream.close();
  }

  @Benchmark
  public int call() throws IOException {
    answer.reset();
    int status = gateway.chat(body, answer);
    if (status != 200) {
      throw new IllegalStateException(status + ": " + answer);
    }
    return answer.size();
  }

  /** Returns the number of calls delivered to the destinations. */
  long delivered() {
    return gateway.delivered();
  }

  /** Returns the number of calls dropped because a queue was full. */
  long dropped() {
    return gateway.dropped();
  }

  /** Receives what destinations are sent, on loopback. */
  private static final class Receiver implements AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    /**
     * @param behaviour {@code answering}, {@code hanging} or {@code failing}
     */
    Receiver(String behaviour) throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext("/", exchange -> answer(exchange, behaviour));
      server.start();
    }

    private void answer(HttpExchange exchange, String behaviour) throws IOException {
      try (exchange) {
        if (behaviour.equals("hanging")) {
          closed.await();
          return;
        }
        exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        exchange.sendResponseHeaders(behaviour.equals("failing") ? 500 : 200, -1);
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
