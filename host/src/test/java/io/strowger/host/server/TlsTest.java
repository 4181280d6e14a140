package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.config.TlsFiles;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A host with a certificate")
class TlsTest {
  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();
  private ServedCertificate certificate;
  private HttpHost host;

  /** Returns the files of a certificate and a key in the resources, given without extension. */
  static TlsFiles files(String certificate, String key) {
    return new TlsFiles(file(certificate + ".pem"), file(key + ".key"));
  }

  private static Path file(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(TlsTest.class.getResource("tls/" + name), name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void start() throws IOException {
    certificate = ServedCertificate.read(files("one", "one"));
    host =
        HttpHost.start(
            api,
            new HttpHost.Settings(
                "127.0.0.1",
                0,
                1_000_000,
                Duration.ofMillis(200),
                Duration.ZERO,
                Duration.ofSeconds(30),
                certificate),
            threads);
  }

  @AfterEach
  void stop() throws InterruptedException {
    host.close();
    assertThat(threads.awaitEnd(Duration.ofSeconds(10)))
        .as("every thread of the host has ended")
        .isTrue();
  }

  private static SSLContext trustingAll() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PermissiveTrustManager()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SSLSocket socket(int port) throws IOException {
    return (SSLSocket)
        trustingAll().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
  }

  private SSLSocket socket(String... protocols) throws IOException {
    SSLSocket socket = socket(host.port());
    if (protocols.length > 0) {
      socket.setEnabledProtocols(protocols);
    }
    return socket;
  }

  private RawClient client() throws IOException {
    return new RawClient(socket());
  }

  private String servedName() throws IOException {
    try (SSLSocket socket = socket()) {
      socket.startHandshake();
      return socket.getSession().getPeerPrincipal().getName();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  @DisplayName("serves requests, streams and refusals in TLS")
  void serves(String protocol) throws Exception {
    try (var client = new RawClient(socket(protocol))) {
      assertThat(client.post("/api/v1/echo", "x".repeat(100_000)).response().body())
          .hasSize(100_000);
      client.post("/api/v1/stream", "{}");
      FakeApi.Running running = api.next();
      running.pieces().add("one");
      client.head();
      assertThat(client.chunk()).isEqualTo("one");
      running.pieces().add(FakeApi.END);
      assertThat(client.chunk()).isEmpty();
      assertThat(client.send("BAD\r\n\r\n").response().status()).isEqualTo(400);
      assertThat(client.rest()).isEmpty();
    }
    assertThat(host.uri()).hasScheme("https");
  }

  @Test
  @DisplayName("negotiates HTTP/1.1 with clients that could speak HTTP/2")
  void alpn() throws Exception {
    try (HttpClient http = HttpClient.newBuilder().sslContext(trustingAll()).build()) {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(host.uri().resolve("/api/v1/health")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
    }
  }

  @Test
  @DisplayName("closes a connection that does not speak TLS")
  void plain() throws IOException {
    try (var plain = new RawClient(host.port())) {
      plain.get("/api/v1/health");
      plain.rest(); // an alert at most
    }
    assertThat(api.served).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("notices a client that goes away while its stream is silent")
  void gone(ClientGoneTest.Disconnect disconnect) throws Exception {
    try (var client = client()) {
      client.post("/api/v1/stream", "{}");
      FakeApi.Running running = api.next();
      running.pieces().add("one");
      client.head();
      client.chunk();
      var gone = new CountDownLatch(1);
      running.cancellation().onCancel(gone::countDown);
      disconnect.perform(client);
      assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(running.cancellation().cause()).isEqualTo(Cancellation.Cause.CALLER_GONE);
    }
  }

  @Test
  @DisplayName("notices a connection that is closed without a close_notify")
  void cut() throws Exception {
    var tcp = new Socket(InetAddress.getLoopbackAddress(), host.port());
    var socket =
        trustingAll().getSocketFactory().createSocket(tcp, "localhost", host.port(), false);
    var client = new RawClient(socket);
    client.post("/api/v1/wait", "{}");
    Cancellation cancellation = api.next().cancellation();
    var gone = new CountDownLatch(1);
    cancellation.onCancel(gone::countDown);
    tcp.close();
    assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "P",
        "POST /api",
        "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc",
      })
  @DisplayName("does not wait for ever for the rest of a request")
  void stalled(String start) throws Exception {
    try (HttpHost impatient = impatient(Duration.ofMillis(700));
        var client = new RawClient(socket(impatient.port()))) {
      allowClosed(() -> client.send(start));
      allowClosed(client::rest);
    }
  }

  @Test
  @DisplayName("does not wait for ever for a handshake")
  void stalledHandshake() throws IOException {
    try (HttpHost impatient = impatient(Duration.ofMillis(20));
        var client = new RawClient(impatient.port())) {
      allowClosed(() -> client.send(new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc}));
      allowClosed(client::rest); // an alert at most
    }
  }

  private HttpHost impatient(Duration clientTimeout) throws IOException {
    return HttpHost.start(
        api,
        new HttpHost.Settings(
            "127.0.0.1", 0, 1_000_000, Duration.ZERO, Duration.ZERO, clientTimeout, certificate),
        threads);
  }

  private interface ClientAction {
    void run() throws IOException;
  }

  /**
   * Runs an action of a client, which may find the connection closed: on a slow machine the server
   * gives up in the middle of the handshake. A timeout of the client fails the test.
   */
  private static void allowClosed(ClientAction action) throws IOException {
    try {
      action.run();
    } catch (SocketTimeoutException waiting) {
      throw waiting;
    } catch (IOException closed) {
      // as expected
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.strowger.host.server.DesyncTest#bodies")
  @DisplayName("hides no request in another")
  void desync(AmbiguousRequest suspect) throws IOException {
    try (var client = client()) {
      client.send(suspect.bytes("/api/v1/echo")).send(AmbiguousRequest.HIDDEN);
      assertThat(client.response().status()).isEqualTo(suspect.status());
      assertThat(client.rest()).isEmpty();
    }
    assertThat(api.served).containsExactly("POST /echo");
  }

  @Test
  @DisplayName("serves a replaced certificate to new connections, while old ones continue")
  void replaced() throws Exception {
    assertThat(servedName()).isEqualTo("CN=one.test");
    try (var old = client()) {
      old.post("/api/v1/echo", "a").response();
      certificate.replace(ServedCertificate.load(files("two", "two")));
      assertThat(servedName()).isEqualTo("CN=two.test");
      assertThat(old.post("/api/v1/echo", "b").response().body()).isEqualTo("b");
      certificate.replace(ServedCertificate.load(files("rsa", "rsa")));
      assertThat(servedName()).isEqualTo("CN=rsa.test");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "one,two,is not the key of the first certificate",
    "one,rsa,is not the key of the first certificate",
    "one,none,no such file",
    "none,one,no such file",
  })
  @DisplayName("keeps its certificate when the new one cannot be used")
  void keeps(String certificateName, String keyName, String reason) throws IOException {
    Path one = file("one.pem");
    var files =
        new TlsFiles(
            one.resolveSibling(certificateName + ".pem"), one.resolveSibling(keyName + ".key"));
    assertThatThrownBy(() -> certificate.replace(ServedCertificate.load(files)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(reason);
    assertThat(servedName()).isEqualTo("CN=one.test");
  }

  @Test
  @DisplayName("reports what is wrong with a file without revealing any of the key")
  void garbage(@TempDir Path folder) throws IOException {
    Path broken = folder.resolve("broken.key");
    String key = Files.readString(file("one.key"));
    Files.writeString(broken, key.replace("BEGIN PRIVATE KEY", "BEGIN SECRET"));
    assertThatThrownBy(() -> ServedCertificate.read(new TlsFiles(file("one.pem"), broken)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            broken + " holds no private key in PEM form (PKCS #8, BEGIN PRIVATE KEY, no password)")
        .hasNoCause();
    assertThatThrownBy(() -> ServedCertificate.read(new TlsFiles(broken, file("one.key"))))
        .hasMessage(broken + " holds no certificate in PEM form");
  }

  @Test
  @DisplayName("does not look up the names of its clients")
  void noReverseLookup() throws IOException {
    assertThat(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}).getHostName())
        .isEqualTo("127.0.0.1");
  }
}
