package io.strowger.providers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An exchange")
class AbortTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(60);
  private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s";

  private final TestAmbient ambient = TestAmbient.realTime();
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final Cancellation cancellation = new Cancellation();
  private volatile @Nullable Thread blocked;

  @AfterEach
  void closeAndCheckThreads() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
    ambient.assertNoThreadsLeft();
  }

  private <T extends AutoCloseable> T closeAtEnd(T resource) {
    resources.add(resource);
    return resource;
  }

  private ApacheTransport transport(ApacheTransport.Limits limits) {
    return closeAtEnd(new ApacheTransport(limits, RawUpstream.loopbackTlsContext()));
  }

  private ApacheTransport transport() {
    return transport(ApacheTransport.Limits.DEFAULT);
  }

  private RawUpstream upstream(boolean secured, RawUpstream.Handler handler) {
    return closeAtEnd(RawUpstream.start(ambient, secured, handler));
  }

  private static Transport.Request request(
      URI uri, String body, Object key, Duration connect, Duration silence, Cancellation ended) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new Transport.Request(uri, Map.of(), JsonOutput.of(bytes), connect, silence, key, ended);
  }

  private Transport.Request request(URI uri, String body) {
    return request(uri, body, "", LONG, LONG, cancellation);
  }

  private static String readAll(Transport.Response response) throws IOException {
    try (response) {
      return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private interface Blocking {
    void run() throws IOException;
  }

  private CompletableFuture<Void> start(Blocking blocking) {
    var done = new CompletableFuture<Void>();
    blocked =
        ambient.start(
            "blocked",
            () -> {
              try {
                blocking.run();
                done.complete(null);
              } catch (Throwable failure) {
                done.completeExceptionally(failure);
              }
            });
    return done;
  }

  @Nested
  @DisplayName("that is cancelled ends at once and keeps no connection")
  class Cancelled {
    private void assertEnds(ApacheTransport transport, CountDownLatch there, Blocking blocking)
        throws Exception {
      CompletableFuture<Void> done = start(blocking);
      assertThat(there.await(10, TimeUnit.SECONDS)).as("the exchange is blocked").isTrue();
      assertThat(done).isNotDone();
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      assertThat(transport.leasedCount()).isZero();
      assertThatThrownBy(() -> done.get(10, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(SocketTimeoutException.class);
      assertThat(transport.leasedCount() + transport.idleCount()).isZero();
    }

    /**
     * Returns whether the sender has leased a connection and waits for it to connect. The lease
     * alone does not suffice: the sender may not have returned from the pool yet.
     */
    private boolean isConnecting(ApacheTransport transport) {
      Thread sender = blocked;
      return transport.leasedCount() > 0
          && sender != null
          && (sender.getState() == Thread.State.WAITING
              || sender.getState() == Thread.State.TIMED_WAITING);
    }

    /** The server accepts no connection, and its backlog is full. */
    @Test
    @DisplayName("while it connects")
    void connecting() throws Exception {
      var full = closeAtEnd(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      for (int i = 0; i < 8; i++) {
        SocketChannel place = closeAtEnd(SocketChannel.open());
        place.configureBlocking(false);
        place.connect(new InetSocketAddress(full.getInetAddress(), full.getLocalPort()));
      }
      ApacheTransport transport = transport();
      URI uri = URI.create("http://127.0.0.1:" + full.getLocalPort() + "/");
      var there = new CountDownLatch(1);
      ambient.start(
          "there",
          () -> {
            for (int i = 0; i < 20_000 && !isConnecting(transport); i++) {
              LockSupport.parkNanos(1_000_000);
            }
            there.countDown();
          });
      assertEnds(transport, there, () -> transport.send(request(uri, "{}")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("during the TLS handshake, or while it waits for the head")
    void handshake(boolean handshake) throws Exception {
      var there = new CountDownLatch(1);
      var over = new CountDownLatch(1);
      RawUpstream silent =
          upstream(
              !handshake,
              connection -> {
                if (!handshake) {
                  connection.readRequest();
                }
                there.countDown();
                try {
                  connection.readHead();
                } finally {
                  over.countDown();
                }
              });
      ApacheTransport transport = transport();
      URI uri = URI.create(silent.baseUri().toString().replace("http:", "https:"));
      assertEnds(transport, there, () -> transport.send(request(uri, "{}")));
      assertThat(over.await(10, TimeUnit.SECONDS))
          .as("the upstream sees the connection end")
          .isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("while it writes to an upstream that does not read")
    void writing(boolean secured) throws Exception {
      var there = new CountDownLatch(1);
      var over = new CountDownLatch(1);
      RawUpstream notReading =
          upstream(
              secured,
              connection -> {
                connection.readHead();
                there.countDown();
                over.await(10, TimeUnit.SECONDS);
              });
      ApacheTransport transport = transport();
      String large = "x".repeat(16 << 20);
      assertEnds(transport, there, () -> transport.send(request(notReading.baseUri(), large)));
      over.countDown();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("while it reads a body")
    void body(boolean secured) throws Exception {
      RawUpstream stalling =
          upstream(
              secured,
              connection -> {
                connection.readRequest();
                connection.write(ANSWER.formatted(100, "{"));
                connection.readHead();
              });
      ApacheTransport transport = transport();
      var there = new CountDownLatch(1);
      assertEnds(
          transport,
          there,
          () -> {
            InputStream body = transport.send(request(stalling.baseUri(), "{}")).body();
            assertThat(body.read()).isEqualTo('{');
            there.countDown();
            body.read();
          });
    }

    @Test
    @DisplayName("and returns no part of the body that had already arrived")
    void afterwards() throws Exception {
      RawUpstream upstream =
          upstream(
              false,
              connection -> {
                connection.readRequest();
                connection.write(ANSWER.formatted(4, "text"));
                connection.readHead();
              });
      ApacheTransport transport = transport();
      Transport.Response response = transport.send(request(upstream.baseUri(), "{}"));
      assertThat(response.body().read()).isEqualTo('t');
      cancellation.cancel(Cancellation.Cause.CLOSED);
      assertThatThrownBy(() -> response.body().read()).isInstanceOf(IOException.class);
      assertThat(transport.leasedCount() + transport.idleCount()).isZero();
    }
  }

  @Nested
  @DisplayName("waits no longer than its time limits")
  class Bounded {
    @Test
    @DisplayName("for TLS")
    void handshake() {
      RawUpstream silent = upstream(false, RawUpstream.Connection::readHead);
      ApacheTransport transport = transport();
      URI uri = URI.create(silent.baseUri().toString().replace("http:", "https:"));
      assertThatThrownBy(
              () -> transport.send(request(uri, "{}", "", SHORT, LONG, new Cancellation())))
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(transport.leasedCount()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("for a body over TLS, with sweeps or without")
    void body(boolean swept) {
      RawUpstream stalling =
          upstream(
              true,
              connection -> {
                connection.readRequest();
                connection.write(ANSWER.formatted(100, "{"));
                connection.readHead();
              });
      ApacheTransport transport = transport();
      if (swept) {
        transport.startSweeping(ambient);
      }
      assertThatThrownBy(
              () ->
                  readAll(
                      transport.send(
                          request(stalling.baseUri(), "{}", "", LONG, SHORT, new Cancellation()))))
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(transport.leasedCount()).isZero();
    }

    @Test
    @DisplayName("but never applies them to an idle connection")
    void idle() throws Exception {
      RawUpstream echo = echo(false);
      ApacheTransport transport = transport();
      transport.startSweeping(ambient);
      Duration shortest = Duration.ofMillis(1);
      for (int i = 0; i < 3; i++) {
        assertThat(
                readAll(
                    transport.send(
                        request(echo.baseUri(), "{}", "", LONG, LONG, new Cancellation()))))
            .isEqualTo("{}");
        ambient.sleep(shortest);
        transport.sweep();
      }
      assertThat(echo.connections()).isEqualTo(1);
    }
  }

  private RawUpstream echo(boolean secured) {
    return upstream(
        secured,
        connection -> {
          while (true) {
            String body = connection.readRequest();
            connection.write(ANSWER.formatted(body.length(), body));
          }
        });
  }

  /** The certificate is for 127.0.0.1 and localhost. */
  @Test
  @DisplayName("fails if the server's certificate is not for its host")
  void otherHost() throws Exception {
    var elsewhere = closeAtEnd(new ServerSocket());
    try {
      elsewhere.bind(new InetSocketAddress("127.0.0.2", 0));
    } catch (BindException unavailable) {
      abort("this machine has one loopback address only");
    }
    CompletableFuture<Void> served = start(() -> handshake(elsewhere));
    ApacheTransport transport = transport();
    URI uri = URI.create("https://127.0.0.2:" + elsewhere.getLocalPort() + "/");
    assertThatThrownBy(() -> transport.send(request(uri, "{}")))
        .isInstanceOf(SSLHandshakeException.class)
        .hasMessageContaining("127.0.0.2");
    assertThat(transport.leasedCount()).isZero();
    assertThatThrownBy(() -> served.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IOException.class);
  }

  private static void handshake(ServerSocket server) throws IOException {
    try (Socket accepted = server.accept();
        var secured =
            (SSLSocket)
                RawUpstream.loopbackTlsContext()
                    .getSocketFactory()
                    .createSocket(accepted, null, true)) {
      secured.setUseClientMode(false);
      secured.startHandshake();
      secured.getInputStream().read();
      throw new IOException("hung up");
    }
  }

  @Test
  @DisplayName("fails if the server's certificate is not trusted")
  void untrusted() {
    RawUpstream secured = echo(true);
    var transport = closeAtEnd(new ApacheTransport());
    assertThatThrownBy(() -> transport.send(request(secured.baseUri(), "{}")))
        .isInstanceOf(SSLHandshakeException.class);
    assertThat(transport.leasedCount()).isZero();
  }

  @Test
  @DisplayName("replaces an idle connection to another upstream when the pool is full")
  void fullPool() throws IOException {
    RawUpstream echo = echo(false);
    RawUpstream other = echo(false);
    ApacheTransport transport = transport(new ApacheTransport.Limits(1, 2));
    for (String key : List.of("a", "b", "a")) {
      for (RawUpstream upstream : List.of(echo, other)) {
        var once = request(upstream.baseUri(), "{}", key, SHORT, LONG, new Cancellation());
        assertThat(readAll(transport.send(once))).isEqualTo("{}");
        assertThat(transport.idleCount()).isLessThanOrEqualTo(2);
      }
    }
    assertThat(echo.connections()).isEqualTo(3);
    assertThat(transport.idleCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("rejects an address with a password, without a host, or of another scheme")
  void addresses() {
    ApacheTransport transport = transport();
    for (String uri :
        List.of("http://user:secret@127.0.0.1:1/", "ftp://127.0.0.1/", "http:///x", "mailto:a@b")) {
      assertThatThrownBy(() -> transport.send(request(URI.create(uri), "{}")))
          .as(uri)
          .isInstanceOf(IOException.class)
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  @DisplayName("replaces line breaks in a header value, so that it adds no header")
  void lineBreaks() throws IOException {
    var heads = new ArrayList<String>();
    RawUpstream recording =
        upstream(
            false,
            connection -> {
              String head = connection.readHead();
              heads.add(head);
              connection.readBody(head);
              connection.write(ANSWER.formatted(2, "{}"));
            });
    ApacheTransport transport = transport();
    URI uri = URI.create(recording.baseUri() + "/v1/a%20b?c=d#e");
    try (Transport.Response response =
        transport.send(
            new Transport.Request(
                uri,
                Map.of("X-A", "b\r\nX-C: d\u20ac"),
                JsonOutput.of(new byte[] {'{', '}'}),
                LONG,
                LONG,
                cancellation))) {
      assertThat(response.status()).isEqualTo(200);
    }
    assertThat(heads.getFirst())
        .startsWith("POST /v1/a%20b?c=d HTTP/1.1\r\nHost: " + uri.getAuthority() + "\r\n")
        .contains("\r\nX-A: b  X-C: d?\r\n")
        .contains("\r\nContent-Length: 2\r\n");
  }

  /**
   * Sends many requests at once and cancels half of them at random moments. Each of the others must
   * receive its own answer.
   */
  @ParameterizedTest
  @ValueSource(ints = {4, Integer.MAX_VALUE})
  @DisplayName("that is cancelled at any moment takes no connection or answer from another")
  void race(int limit) throws Exception {
    RawUpstream echo = echo(false);
    ApacheTransport transport = transport(new ApacheTransport.Limits(limit, limit));
    transport.startSweeping(ambient);
    var answered = new AtomicInteger();
    var callers = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < 16; i++) {
      int caller = i;
      callers.add(start(() -> call(transport, echo.baseUri(), caller, answered)));
    }
    for (CompletableFuture<Void> caller : callers) {
      caller.get(60, TimeUnit.SECONDS);
    }
    assertThat(transport.leasedCount()).isZero();
    assertThat(transport.idleCount()).isLessThanOrEqualTo(16);
    assertThat(answered.get()).isGreaterThanOrEqualTo(16 * 100);
  }

  private void call(ApacheTransport transport, URI uri, int caller, AtomicInteger answered)
      throws IOException {
    var random = new Random(caller);
    for (int i = 0; i < 200; i++) {
      String body = "{\"caller\":" + caller + ",\"request\":" + i + "}";
      var ended = new Cancellation();
      boolean cancelled = i % 2 == 1;
      if (cancelled) {
        int spins = random.nextInt(2_000);
        ambient.start(
            "cancels",
            () -> {
              for (int spin = 0; spin < spins; spin++) {
                Thread.onSpinWait();
              }
              ended.cancel(Cancellation.Cause.CALLER_GONE);
            });
      }
      try {
        String key = "key " + caller % 2;
        assertThat(readAll(transport.send(request(uri, body, key, LONG, LONG, ended))))
            .isEqualTo(body);
        answered.incrementAndGet();
      } catch (IOException failure) {
        if (!cancelled) {
          throw failure;
        }
      }
    }
  }
}
