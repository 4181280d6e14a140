package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The last answer of a connection")
class LastAnswerTest {
  /** More than is read at once, less than is dropped. */
  private static final String PIPELINED =
      "GET /api/v1/health HTTP/1.1\r\nHost: h\r\n\r\n".repeat(2_000);

  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();
  private @Nullable HttpHost host;

  private RawClient client(boolean tls) throws IOException, GeneralSecurityException {
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
    if (!tls) {
      return new RawClient(started.port());
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAll()}, null);
    Socket socket =
        context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), started.port());
    return new RawClient(socket);
  }

  @AfterEach
  void stop() throws InterruptedException {
    HttpHost started = host;
    if (started != null) {
      started.close();
    }
    assertThat(threads.ended(Duration.ofSeconds(10))).isTrue();
  }

  private static String pipelined(int bytes) {
    return PIPELINED.substring(0, bytes);
  }

  @ParameterizedTest(name = "in TLS: {0}, {1} bytes more")
  @CsvSource({"false,2", "false,60000", "true,2", "true,60000"})
  @DisplayName("arrives, and the connection ends without a reset, when more was sent behind it")
  void behind(boolean tls, int more) throws Exception {
    try (var client = client(tls)) {
      client.send("GET /api/v1/stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      FakeApi.Running running = api.next();
      client.send(pipelined(more));
      assertThat(client.silentFor(Duration.ofMillis(200))).isTrue(); // all of it has come
      running.pieces().add("abc");
      running.pieces().add(FakeApi.END);
      assertThat(client.response().body()).isEqualTo("abc");
      assertThat(client.rest()).isEmpty();
    }
    assertThat(api.served).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BAD\r\n\r\n",
        "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10001\r\n\r\n"
      })
  @DisplayName("arrives also when it is a refusal")
  void refusal(String request) throws Exception {
    try (var client = client(false)) {
      client.send(request + pipelined(10_001));
      assertThat(client.response().status()).isIn(400, 413);
      assertThat(client.rest()).isEmpty();
    }
  }
}
