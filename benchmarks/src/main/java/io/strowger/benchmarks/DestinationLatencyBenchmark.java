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
 * calls over real HTTP, with its percentiles, beside three destinations that hang or answer 500.
 *
 * <p>Floor: {@code none}, the same call of a gateway without destinations. Peer: {@code answering},
 * destinations that take everything they are sent. After a few seconds the queues of broken
 * destinations are full, and every call is dropped for each of them. That state is measured.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@State(Scope.Thread)
public class DestinationLatencyBenchmark {
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
