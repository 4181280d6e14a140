package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The last answer of a connection")
class LastAnswerTest {
  /**
   * More than the host reads at once, but less than the unread input that it discards before it
   * closes a connection.
   */
  private static final String PIPELINED =
      "GET /api/v1/health HTTP/1.1\r\nHost: h\r\n\r\n".repeat(2_000);

  /** More than the client buffers before it reads; a reset would lose the rest. */
  private static final String LARGE = "x".repeat(100_000);

  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();
  private @Nullable HttpHost host;

  private HttpHost start(boolean tls) throws IOException {
    ServedCertificate certificate =
        tls ? ServedCertificate.read(TlsTest.files("one", "one")) : null;
    HttpHost started =
        HttpHost.start(
            api,
            new HttpHost.Settings(
                "127.0.0.1",
                0,
                10_000,
                Duration.ofMillis(200),
                Duration.ZERO,
                Duration.ofSeconds(30),
                certificate),
            threads);
    host = started;
    return started;
  }

  /** Connects a client with a small receive buffer. */
  private static RawClient client(HttpHost host, boolean tls)
      throws IOException, GeneralSecurityException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), host.port()));
    if (!tls) {
      return new RawClient(socket);
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new PermissiveTrustManager()}, null);
    return new RawClient(
        context.getSocketFactory().createSocket(socket, "localhost", host.port(), true));
  }

  @AfterEach
  void stop() throws InterruptedException {
    HttpHost started = host;
    if (started != null) {
      started.close();
    }
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).isTrue();
  }

  private static String pipelined(int bytes) {
    return PIPELINED.substring(0, bytes);
  }

  /**
   * Ends the answer, and asserts that the client reads all of it after the host has written it.
   *
   * @param refusal the status of a second answer; 0 for none
   */
  private void assertArrives(RawClient client, FakeApi.Running running, int refusal)
      throws Exception {
    running.pieces().add(LARGE);
    running.pieces().add(FakeApi.END);
    assertThat(api.bodiesClosed.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(client.response().body()).isEqualTo(LARGE);
    if (refusal > 0) {
      assertThat(client.response().status()).isEqualTo(refusal);
    }
    assertThat(client.rest()).isEmpty();
    assertThat(api.served).hasSize(1);
  }

  @ParameterizedTest(name = "in TLS: {0}, {1} bytes more")
  @CsvSource({"false,2", "false,60000", "true,2", "true,60000"})
  @DisplayName("arrives completely if more was sent after its request")
  void behind(boolean tls, int more) throws Exception {
    try (var client = client(start(tls), tls)) {
      client.send("GET /api/v1/stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      FakeApi.Running running = api.next();
      client.send("G"); // the host's disconnect watcher reads one byte and then ends
      assertThat(threads.awaitEnd("client-watch", Duration.ofSeconds(10))).isTrue();
      client.send(pipelined(more));
      assertThat(client.silentFor(Duration.ofMillis(200))).isTrue(); // all of it has arrived
      assertArrives(client, running, 0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "BAD, 400",
    "POST /api/v1/echo HTTP/1.1|Host: h|Content-Length: 10001, 413",
  })
  @DisplayName("arrives completely also if it is a refusal")
  void refusal(String request, int status) throws Exception {
    String refused = request.replace("|", "\r\n") + "\r\n\r\n";
    HttpHost started = start(false);
    // a client of its own gets the refusal alone; the next one reads it only after the host's close
    try (var first = client(started, false)) {
      assertThat(first.send(refused).response().status()).isEqualTo(status);
    }
    try (var client = client(started, false)) {
      client.get("/api/v1/stream");
      FakeApi.Running running = api.next();
      client.send(refused + pipelined(30_000));
      assertThat(client.silentFor(Duration.ofMillis(200))).isTrue();
      assertArrives(client, running, status);
    }
  }
}
