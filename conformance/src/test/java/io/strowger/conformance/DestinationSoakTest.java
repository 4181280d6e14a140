package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.strowger.core.ambient.ForwardingAmbient;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.RunningGateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.provider.Cancellation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Makes thirty thousand calls to the whole program on loopback, with three destinations over real
 * HTTP: one that accepts everything, one that never answers and one that answers 500. With {@code
 * -Dstrowger.effort=10} it makes a tenth of the calls.
 */
@Tag("full")
@Isolated("looks at the heap and the threads of the process")
@DisplayName("Destinations under load, one of which hangs and one of which fails")
class DestinationSoakTest {
  private static final int CALLS =
      Math.ceilDiv(30_000 * Integer.getInteger("strowger.effort", 100), 100);
  private static final int CALLERS = 8;

  /** A long prompt, so that calls which are kept anywhere fill the heap. */
  private static final String CHAT = Fixtures.CHAT.replace("Hello", "Hello ".repeat(700));

  private static final long MAX_QUEUED = 2_048; // docs/operating.md
  private static final long MAX_QUEUED_BYTES = 16L << 20;

  /** The generation records in memory take 32 MiB in the end; the rest allows for chance. */
  private static final long MAX_GROWTH = 40L << 20;

  private final CountingAmbient ambient = new CountingAmbient();
  private final AtomicLong rows = new AtomicLong();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private SimulatedUpstream upstream;
  private HttpServer receiver;
  private RunningGateway running;

  /** The ambient of the system; also knows which of its threads are alive. */
  private static final class CountingAmbient extends ForwardingAmbient {
    private final Map<Thread, String> alive = new ConcurrentHashMap<>();

    CountingAmbient() {
      super(new SystemAmbient());
    }

    @Override
    public Thread start(String name, Runnable task) {
      return super.start(name, () -> run(name, task));
    }

    @Override
    public Thread startService(String name, Runnable task) {
      return super.startService(name, () -> run(name, task));
    }

    private void run(String name, Runnable task) {
      alive.put(Thread.currentThread(), name);
      try {
        task.run();
      } finally {
        alive.remove(Thread.currentThread());
      }
    }

    List<String> names() {
      return alive.values().stream().sorted().toList();
    }
  }

  @BeforeEach
  void start() throws IOException {
    upstream = SimulatedUpstream.start(new SystemAmbient());
    upstream.script("large", Script.answer("Hello from afar"));
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    receiver.setExecutor(threads);
    receiver.createContext("/", this::receive);
    receiver.start();
    String at = "http://127.0.0.1:" + receiver.getAddress().getPort();
    String config = Fixtures.config(upstream.baseUri().toString()).stripTrailing();
    config =
        config.substring(0, config.lastIndexOf('}'))
            + """
            , 'network': {'allow_private': ['127.0.0.1']}, 'observability_destinations': [
              {'id': 'good', 'name': 'n', 'type': 'clickhouse', 'config': {
                'host': 'AT/good', 'database': 'd', 'username': 'u', 'password': 'p', 'table': 't'}},
              {'id': 'hanging', 'name': 'n', 'type': 'webhook', 'config': {'url': 'AT/hang'}},
              {'id': 'failing', 'name': 'n', 'type': 'otel-collector', 'config': {
                'endpoint': 'AT/fail'}} ] }
            """
                .replace("AT", at);
    running =
        RunningGateway.open(
            new ConfigReader(new JacksonCodec(), name -> null)
                .read(config.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .orThrow(),
            ambient);
  }

  @AfterEach
  void stop() {
    stopped.countDown();
    running.close();
    receiver.stop(0);
    threads.close();
    upstream.close();
  }

  private void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    int status = 200;
    if (path.startsWith("/hang")) {
      try {
        stopped.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    } else if (path.startsWith("/fail")) {
      status = 500;
    } else {
      String text = new String(body, StandardCharsets.UTF_8);
      rows.addAndGet(text.lines().filter(line -> line.contains("TRACE_ID")).count());
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private int ask() throws IOException {
    WireResponse response =
        running
            .gateway()
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    "/chat/completions",
                    "",
                    name ->
                        name.equalsIgnoreCase("Authorization")
                            ? "Bearer " + Fixtures.APP_KEY
                            : null,
                    new ByteArrayInputStream(CHAT.getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    try (WireBody answer = response.body()) {
      answer.transferTo(OutputStream.nullOutputStream());
    }
    return response.status();
  }

  /** Makes a number of calls, and asserts that all are answered. */
  private void ask(int calls) throws Exception {
    var callers = new ArrayList<Future<Integer>>();
    var next = new AtomicLong();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(
          threads.submit(
              () -> {
                int answered = 0;
                while (next.getAndIncrement() < calls) {
                  answered += ask() == 200 ? 1 : 0;
                }
                return answered;
              }));
    }
    int answered = 0;
    for (Future<Integer> some : callers) {
      answered += some.get();
    }
    assertThat(answered).isEqualTo(calls);
  }

  private DestinationCounts counts(String id) {
    return running.gateway().destinations().stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static long dropped(DestinationCounts of) {
    return of.droppedFull() + of.droppedRefused() + of.droppedFailed();
  }

  /**
   * Asserts that every call is delivered, dropped or queued, and that the queues are within their
   * limits.
   */
  private void assertConserved(int calls) {
    for (DestinationCounts one : running.gateway().destinations()) {
      assertThat(one.delivered() + dropped(one) + one.queued()).as(one.toString()).isEqualTo(calls);
      assertThat(one.queued()).as(one.toString()).isLessThanOrEqualTo(MAX_QUEUED);
      assertThat(one.queuedBytes()).as(one.toString()).isLessThanOrEqualTo(MAX_QUEUED_BYTES);
    }
  }

  private void awaitGoodDelivered() {
    while (counts("good").queued() > 0) {
      Thread.onSpinWait();
    }
  }

  private static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Runtime now = Runtime.getRuntime();
      least = Math.min(least, now.totalMemory() - now.freeMemory());
    }
    return least;
  }

  @Test
  @Timeout(300) // also bounds the wait for the threads
  @DisplayName(
      "drop the calls that exceed their queues and count them all, while memory and threads do not"
          + " grow")
  void soak() throws Exception {
    long began = System.nanoTime();
    int first = CALLS / 3;
    ask(first);
    awaitGoodDelivered();
    assertConserved(first);
    long heap = usedHeap();
    List<String> alive = ambient.names();
    int platform = Thread.activeCount();

    ask(CALLS - first);
    long answeredAt = System.nanoTime();
    awaitGoodDelivered();
    assertConserved(CALLS);
    long growth = usedHeap() - heap;
    List<String> aliveNow = ambient.names();
    int platformNow = Thread.activeCount();
    List<DestinationCounts> before = running.gateway().destinations();

    long closing = System.nanoTime();
    running.close();
    long closed = System.nanoTime();
    while (!ambient.names().isEmpty()) { // a thread that was sleeping ends a moment later
      Thread.onSpinWait();
    }
    System.out.printf(
        "soak: %d calls in %.1f s, heap after collection %d MiB and %+d KiB later,"
            + " closed in %.1f s%n threads %s%n %s%n %s%n",
        CALLS,
        (answeredAt - began) / 1e9,
        heap >> 20,
        growth >> 10,
        (closed - closing) / 1e9,
        aliveNow,
        before,
        running.gateway().destinations());

    assertThat(growth).isLessThan(MAX_GROWTH);
    assertThat(aliveNow).filteredOn("destination-delivery"::equals).hasSize(3); // one for each
    assertThat(aliveNow).hasSizeLessThanOrEqualTo(alive.size() + 2); // some more may be busy
    assertThat(platformNow).isLessThanOrEqualTo(platform + 2);
    assertConserved(CALLS);
    assertThat(running.gateway().destinations()).allMatch(one -> one.queued() == 0);
    assertThat(running.gateway().destinations()).allMatch(one -> one.queuedBytes() == 0);
    assertThat(rows).hasValue(counts("good").delivered());
    assertThat(counts("good").failures()).isZero();
    assertThat(counts("good").delivered() + counts("good").droppedFull()).isEqualTo(CALLS);
    assertThat(counts("good").delivered()).isGreaterThanOrEqualTo(CALLS / 2);
    for (String bad : List.of("hanging", "failing")) {
      assertThat(counts(bad).delivered()).isZero();
      assertThat(counts(bad).failures()).isPositive();
      assertThat(counts(bad).droppedFull()).isEqualTo(CALLS - counts(bad).droppedFailed());
      assertThat(counts(bad).droppedFailed()).isBetween(1L, MAX_QUEUED);
    }
  }
}
