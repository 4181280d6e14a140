package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Tag("full")
@Isolated("the flood takes processor time from tests with time limits")
@Timeout(60)
@DisplayName("A client that asks for TLS key updates again and again, and reads nothing,")
class KeyUpdateTest {
  /** So long that no client is given up before the test advances the time. */
  private static final Duration CLIENT_TIMEOUT = Duration.ofHours(1);

  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();
  private final AtomicInteger updates = new AtomicInteger();
  private HttpHost host;

  @BeforeEach
  void start() throws IOException {
    host =
        HttpHost.start(
            api,
            new HttpHost.Settings(
                "127.0.0.1",
                0,
                1_000_000,
                Duration.ofMillis(200),
                Duration.ZERO,
                CLIENT_TIMEOUT,
                ServedCertificate.read(TlsTest.files("one", "one"))),
            threads);
  }

  private Socket connected() throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(2048);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), host.port()));
    return socket;
  }

  private SSLSocket encrypted(Socket socket) throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(null, new TrustManager[] {new PermissiveTrustManager()}, null);
    return (SSLSocket)
        context.getSocketFactory().createSocket(socket, "localhost", host.port(), true);
  }

  private void flood(SSLSocket socket) {
    try {
      while (true) {
        socket.startHandshake(); // asks for a key update, except the first time
        updates.incrementAndGet();
      }
    } catch (IOException ended) {
      // by the host
    }
  }

  /** Returns whether the host no longer reads requests because it cannot send its answers. */
  private boolean isStuck(Thread flood) throws InterruptedException {
    int before = updates.get();
    boolean over = flood.join(Duration.ofMillis(250));
    return !over && before == updates.get();
  }

  private void assertOtherIsServed() throws Exception {
    try (var other = new RawClient(encrypted(connected()))) {
      assertThat(other.get("/api/v1/health").response().status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("is disconnected, and does not keep other clients from being served")
  void disconnected() throws Exception {
    // closed instead of the TLS socket, whose close would wait for the flood
    try (Socket plain = connected()) {
      SSLSocket socket = encrypted(plain);
      socket.startHandshake();
      assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
      socket.getOutputStream().write("GET ".getBytes(StandardCharsets.US_ASCII));
      Thread flood = Thread.ofPlatform().daemon().start(() -> flood(socket));
      while (!isStuck(flood)) {
        assertThat(flood.isAlive()).as("the client is not given up yet").isTrue();
      }
      assertOtherIsServed();
      threads.advance(CLIENT_TIMEOUT);
      // not seen at the client, whose system may take a minute to notice
      long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (host.connections() > 0 && System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      assertThat(host.connections()).as("the connection is closed").isZero();
      assertOtherIsServed();
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    host.close();
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).isTrue();
  }
}
