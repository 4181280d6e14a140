package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.Readiness;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("keeps every carrier thread busy")
@DisplayName("The address for probes and administration")
class AdminListenerTest {
  private final LiveThreads threads = new LiveThreads();
  private final Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
  private final CountDownLatch proceed = new CountDownLatch(1);
  private final CountDownLatch administrationStarted = new CountDownLatch(2);
  private final AtomicReference<Readiness> readiness = new AtomicReference<>(Readiness.READY);
  private HttpHost host;

  private WireResponse api(WireRequest request) {
    virtual.add(Thread.currentThread().isVirtual());
    if (request.query().equals("wait")) {
      administrationStarted.countDown();
      await(proceed);
    }
    return FakeApi.text(
        200, request.method() + " " + request.path() + " " + request.headers().first("x-who"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private HttpHost start(InetSocketAddress admin) throws IOException {
    return start(admin, null, threads);
  }

  private HttpHost start(InetSocketAddress admin, @Nullable MetricsPage page, Ambient ambient)
      throws IOException {
    return HttpHost.start(
        this::api,
        () -> {
          virtual.add(Thread.currentThread().isVirtual());
          return readiness.get();
        },
        page,
        new HttpHost.Settings(
            "127.0.0.1",
            0,
            1_000_000,
            Duration.ofMillis(200),
            Duration.ZERO,
            Duration.ofSeconds(30),
            null,
            admin),
        ambient);
  }

  @BeforeEach
  void start() throws IOException {
    host = start(anyPort());
  }

  @AfterEach
  void stop() throws InterruptedException {
    proceed.countDown();
    host.close();
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).as("no thread is left").isTrue();
  }

  private RawClient.Response ask(String request) throws IOException {
    try (var client = new RawClient(host.adminPort())) {
      RawClient.Response response = client.send(request).response();
      assertThat(client.atEnd()).isTrue();
      return response;
    }
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: h\r\nX-Who: me\r\n\r\n";
  }

  @Test
  @DisplayName("serves probes on platform threads while every carrier thread is busy")
  void carriers() throws Exception {
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    var busy = new CountDownLatch(carriers);
    var over = new CountDownLatch(1);
    var loops = new ArrayList<Thread>();
    for (int i = 0; i < carriers; i++) {
      loops.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    busy.countDown();
                    while (over.getCount() > 0) {
                      Thread.onSpinWait(); // occupies the carrier thread
                    }
                  }));
    }
    try {
      busy.await();
      assertThat(ask(get("/livez")).status()).isEqualTo(200);
      assertThat(ask(get("/readyz")).body()).contains("ready");
      assertThat(ask(get("/api/v1/health/")).body()).isEqualTo("GET /health me");
      assertThat(ask(post("/api/v1/admin/reload")).body()).isEqualTo("POST /admin/reload null");
    } finally {
      over.countDown();
    }
    for (Thread loop : loops) {
      loop.join();
    }
    assertThat(virtual).containsExactly(false);
  }

  private static String post(String path) {
    return "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n";
  }

  @Test
  @DisplayName("reports why the host is not ready, and answers HEAD without a body")
  void notReady() throws IOException {
    readiness.set(Readiness.STARTING);
    RawClient.Response notReady = ask(get("/readyz"));
    assertThat(notReady.status()).isEqualTo(503);
    assertThat(notReady.body()).contains("\"reason\":\"starting\"");
    try (var client = new RawClient(host.adminPort())) {
      client.send("HEAD /livez HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.head().status()).isEqualTo(200);
      assertThat(client.atEnd()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/api/v1/chat/completions", "/api/v1/keys", "/admin/reload", "/api/v1/admin"})
  @DisplayName("serves nothing else")
  void nothingElse(String path) throws IOException {
    assertThat(ask(get(path)).status()).isEqualTo(404);
    assertThat(virtual).isEmpty();
  }

  @Test
  @DisplayName("refuses a request that is not valid HTTP")
  void malformed() throws IOException {
    assertThat(ask("GET  /livez\r\n\r\n").status()).isEqualTo(400);
    RawClient.Response withoutHost = ask("GET /livez HTTP/1.1\r\n\r\n");
    assertThat(withoutHost.status()).isEqualTo(400);
    assertThat(withoutHost.body()).contains("request: the Host field is missing\"");
  }

  @Test
  @DisplayName("answers probes while two administration requests wait, and refuses a third")
  void administration() throws Exception {
    List<RawClient> waiting = List.of(client(), client());
    for (RawClient client : waiting) {
      client.send(post("/api/v1/admin/reload?wait"));
    }
    administrationStarted.await();
    RawClient.Response refused = ask(post("/api/v1/admin/reload?wait"));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isEqualTo("1");
    assertThat(ask(get("/livez")).status()).isEqualTo(200);
    proceed.countDown();
    for (RawClient client : waiting) {
      assertThat(client.response().status()).isEqualTo(200);
      client.close();
    }
  }

  private RawClient client() throws IOException {
    return new RawClient(host.adminPort());
  }

  @Test
  @DisplayName("answers probes while other clients have sent only part of a request")
  void incompleteRequests() throws IOException {
    var incomplete = new ArrayList<RawClient>();
    for (int i = 0; i < 8; i++) {
      incomplete.add(client().send("GET /livez"));
    }
    assertThat(ask(get("/livez")).status()).isEqualTo(200);
    for (RawClient client : incomplete) {
      client.close();
    }
  }

  /** Returns a page larger than what the system buffers for a client that does not read. */
  private MetricsPage longPage() {
    var page = new MetricsPage(threads);
    for (int i = 0; i < 100; i++) {
      Endpoint to =
          Endpoint.builder(
                  "acme/" + "m".repeat(1_000) + i,
                  new ProviderInfo("alpha", "Alpha", false, false, null, false))
              .build();
      page.sink()
          .accept(
              CallRecord.builder("gen-1", Instant.EPOCH, CallRecord.Outcome.COMPLETE)
                  .endpoint(to.id())
                  .attempts(
                      List.of(
                          new CallRecord.Attempt(
                              0,
                              null,
                              to,
                              new CallRecord.CallTimes(0, 1, 2),
                              new CallRecord.Ending(
                                  CallRecord.Outcome.COMPLETE, 200, null, null, null),
                              new CallRecord.BillLine(to.id(), Usage.NONE, Usd.ZERO))))
                  .firstContentNanos(1)
                  .totalNanos(2)
                  .build());
    }
    return page;
  }

  /** Requests the metrics and does not read the answer. */
  private RawClient stalled(HttpHost from) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), from.adminPort()));
    return new RawClient(socket).get("/metrics");
  }

  private static int status(HttpHost from, String path) throws IOException {
    try (var client = new RawClient(from.adminPort())) {
      return client.get(path).response().status();
    }
  }

  private static RawClient.Response metrics(HttpHost from) throws IOException {
    try (var client = new RawClient(from.adminPort())) {
      return client.get("/metrics").response();
    }
  }

  /** Returns the status of a HEAD request, which is short because the page has no body then. */
  private static int statusOfHead(HttpHost from) throws IOException {
    try (var client = new RawClient(from.adminPort())) {
      return client.send("HEAD /metrics HTTP/1.1\r\nHost: h\r\n\r\n").head().status();
    }
  }

  @Test
  @DisplayName("answers probes while clients ask for metrics and do not read them")
  void unreadMetrics() throws IOException {
    try (var page = longPage();
        var scraped = start(anyPort(), page, threads)) {
      assertThat(status(scraped, "/metrics")).isEqualTo(200);
      var stalled = new ArrayList<RawClient>();
      for (int i = 0; i < 8; i++) {
        stalled.add(stalled(scraped));
      }
      RawClient.Response busy = metrics(scraped);
      long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (busy.status() == 200 && System.nanoTime() < until) {
        stalled.add(stalled(scraped)); // a stalled one may have been refused
        busy = metrics(scraped);
      }
      assertThat(busy.status()).isEqualTo(503);
      assertThat(busy.header("Retry-After")).isEqualTo("1");
      assertThat(status(scraped, "/livez")).isEqualTo(200);
      assertThat(status(scraped, "/readyz")).isEqualTo(200);
      for (RawClient client : stalled) {
        client.close();
      }
    }
  }

  @Test
  @DisplayName("closes a connection whose client does not read, and serves metrics again")
  void closesUnread() throws IOException {
    Ambient fastSleeping = threads.sleepingIn(time -> Thread.sleep(time.dividedBy(100)));
    try (var page = longPage();
        var scraped = start(anyPort(), page, fastSleeping);
        RawClient one = stalled(scraped);
        RawClient other = stalled(scraped)) {
      // The status is 503 while both stalled requests are being answered. They may arrive after the
      // first HEAD request, so the first loop waits for the 503; if it misses the 503, both loops
      // end with 200.
      long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      long missed = System.nanoTime() + Duration.ofSeconds(5).toNanos();
      int status = statusOfHead(scraped);
      while (status == 200 && System.nanoTime() < missed) {
        status = statusOfHead(scraped);
      }
      while (status != 200 && System.nanoTime() < until) {
        status = statusOfHead(scraped);
      }
      assertThat(status).isEqualTo(200);
      assertThat(Stream.of(one, other).filter(AdminListenerTest::isClosed)).isNotEmpty();
    }
  }

  /**
   * Returns whether the host closed the connection. A 503 instead means that the request was
   * refused because a request of the test itself was being answered.
   */
  private static boolean isClosed(RawClient client) {
    try {
      assertThat(client.response().status()).isEqualTo(503);
      return false;
    } catch (IOException closed) {
      return true;
    }
  }

  @Test
  @DisplayName("that is already in use keeps the host from starting, and is named in the error")
  void portInUse() throws IOException {
    try (var inUse = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), inUse.getLocalPort());
      assertThatThrownBy(() -> start(address))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(inUse.getLocalPort() + " (server.admin)");
    }
  }
}
