package io.strowger.providers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The transport")
class ApacheTransportTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final TestAmbient ambient = TestAmbient.realTime();
  private final SimulatedUpstream upstream = SimulatedUpstream.start(ambient);
  private final ApacheTransport transport = new ApacheTransport(new ApacheTransport.Limits(2, 2));
  private final Cancellation cancellation = new Cancellation();

  @AfterEach
  void closeAndCheckThreads() {
    transport.close();
    upstream.close();
    ambient.assertNoThreadsLeft();
  }

  private Transport.Request request(boolean streaming) {
    return request(upstream.baseUri(), streaming, LONG, LONG, cancellation);
  }

  private static Transport.Request request(
      URI base, boolean streaming, Duration connect, Duration silence, Cancellation cancellation) {
    byte[] body =
        ("{\"model\":\"m\",\"stream\":" + streaming + "}").getBytes(StandardCharsets.UTF_8);
    return new Transport.Request(
        URI.create(base + "/chat/completions"),
        Map.of("Authorization", "Bearer s"),
        JsonOutput.of(body),
        connect,
        silence,
        cancellation);
  }

  private static String readAll(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("sends body and headers, and adds none that allow compressed or upgraded answers")
  void sends() throws IOException {
    upstream.script("m", Script.answer("hello"));
    try (Transport.Response response = transport.send(request(false))) {
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.header("content-TYPE")).isEqualTo("application/json");
      assertThat(response.header("absent")).isNull();
      assertThat(readAll(response.body())).contains("\"hello\"");
    }
    assertThat(upstream.last().text()).isEqualTo("{\"model\":\"m\",\"stream\":false}");
    assertThat(upstream.last().headers())
        .containsEntry("authorization", "Bearer s")
        .containsEntry("content-type", "application/json")
        .doesNotContainKeys("accept-encoding", "upgrade", "cookie", "user-agent");
  }

  @Test
  @DisplayName("returns refusals and redirects unchanged and never retries")
  void unchanged() throws IOException {
    for (int status : new int[] {301, 307, 401, 429, 500, 503}) {
      upstream.answerNextWith(Script.responding(status, Map.of("Location", "/elsewhere"), "no"));
      long before = upstream.requests();
      try (Transport.Response response = transport.send(request(false))) {
        assertThat(response.status()).isEqualTo(status);
        assertThat(readAll(response.body())).isEqualTo("no");
      }
      assertThat(upstream.requests()).isEqualTo(before + 1);
    }
  }

  @Nested
  @DisplayName("uses a connection again")
  class Reuse {
    @Test
    @DisplayName("when the body was read to its end")
    void readToTheEnd() throws IOException {
      upstream.script("m", Script.answer("hello"));
      for (int i = 0; i < 5; i++) {
        Transport.Response response = transport.send(request(i % 2 == 0));
        readAll(response.body());
        response.close();
        response.close();
      }
      assertThat(upstream.connections()).isEqualTo(1);
      assertThat(transport.idleCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("when the reader finishes early and little is left")
    void finished() throws IOException {
      upstream.script("m", Script.answer("hello"));
      for (int i = 0; i < 5; i++) {
        Transport.Response response = transport.send(request(true));
        assertThat(response.body().read()).isEqualTo('d');
        response.finish();
      }
      assertThat(upstream.connections()).isEqualTo(1);
    }

    @Test
    @DisplayName("but not when the body was left unread")
    void unread() throws IOException {
      upstream.script("m", Script.answer("hello"));
      for (int i = 0; i < 3; i++) {
        transport.send(request(true)).close();
      }
      assertThat(upstream.connections()).isEqualTo(3);
      assertThat(transport.leasedCount() + transport.idleCount()).isZero();
    }

    @Test
    @DisplayName("nor when much is left, or the rest does not arrive")
    void leftovers() throws IOException {
      Script much = Script.builder().text("x".repeat(20_000)).chunks(40).build();
      Script silent = Script.failing(new ScriptedFault.Stall(1));
      for (Script script : new Script[] {much, silent}) {
        upstream.answerNextWith(script);
        Transport.Response response = transport.send(request(true));
        assertThat(response.body().read()).isEqualTo('d');
        response.finish();
        assertThat(transport.leasedCount() + transport.idleCount()).isZero();
      }
    }
  }

  /**
   * Cancels a blocked call and asserts that it ends with an exception. The upstream stays silent,
   * and the socket's own time limit is three times as long as this method waits.
   */
  private void assertCancelWakes(CountDownLatch blocked, CompletableFuture<Void> done)
      throws Exception {
    assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(done).isNotDone();
    cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    assertThatThrownBy(() -> done.get(10, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
    assertThat(transport.leasedCount()).isZero();
  }

  private interface Blocking {
    void run() throws IOException;
  }

  private CompletableFuture<Void> start(Blocking blocking) {
    var done = new CompletableFuture<Void>();
    ambient.start(
        "blocked",
        () -> {
          try {
            blocking.run();
            done.complete(null);
          } catch (IOException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  @Nested
  @DisplayName("closes an idle connection")
  class Idle {
    private final CountDownLatch idle = new CountDownLatch(1);
    private final CompletableFuture<RawUpstream.Connection> served = new CompletableFuture<>();

    /** Starts a server that answers once and, after the client has read the answer, sends more. */
    private RawUpstream answeringThenSending(String more) {
      return RawUpstream.start(
          ambient,
          false,
          connection -> {
            served.complete(connection);
            connection.readRequest();
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
            idle.await();
            connection.write(more);
            connection.end();
          });
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1", ""})
    @DisplayName("soon after its upstream sent more or closed it, even without a further request")
    void surplus(String more) throws Exception {
      try (RawUpstream server = answeringThenSending(more)) {
        transport.startSweeping(ambient);
        transport.startSweeping(ambient);
        var once = request(server.baseUri(), false, LONG, LONG, cancellation);
        try (Transport.Response response = transport.send(once)) {
          readAll(response.body());
        }
        idle.countDown();
        assertThat(served.get().awaitEnd(LONG)).as("closed").isTrue();
        assertThat(transport.idleCount()).isZero();
      }
    }

    @Test
    @DisplayName("when it has been idle for too long")
    void expired() throws IOException {
      upstream.script("m", Script.answer("hello"));
      try (var brief =
          new ApacheTransport(
              ApacheTransport.Limits.DEFAULT, TlsContext.ofJdk(), TimeValue.ofMilliseconds(1))) {
        try (Transport.Response response = brief.send(request(false))) {
          readAll(response.body());
        }
        while (brief.idleCount() > 0) { // takes a millisecond or two
          brief.sweep();
        }
      }
      assertThat(upstream.connections()).isEqualTo(1);
    }
  }

  @Nested
  @DisplayName("ends at once when cancelled")
  class Cancelling {
    @Test
    @DisplayName("while it waits for the head, and the upstream sees the connection end")
    void head() throws Exception {
      upstream.script("m", Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD)));
      var blocked = new CountDownLatch(1);
      var done = start(() -> transport.send(request(true)));
      assertThat(upstream.awaitRequests(1, LONG)).isTrue();
      blocked.countDown();
      assertCancelWakes(blocked, done);
      assertThat(upstream.awaitClientGone(LONG)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {ScriptedFault.AFTER_HEAD, 1})
    @DisplayName("while it reads a body that stalls")
    void body(int at) throws Exception {
      upstream.script("m", Script.failing(new ScriptedFault.Stall(at)));
      var blocked = new CountDownLatch(1);
      var done =
          start(
              () -> {
                InputStream body = transport.send(request(true)).body();
                blocked.countDown();
                readAll(body);
              });
      assertCancelWakes(blocked, done);
      assertThat(upstream.awaitClientGone(LONG)).isTrue();
    }

    @Test
    @DisplayName("while it waits for a connection to become free")
    void pool() throws Exception {
      upstream.script("m", Script.failing(new ScriptedFault.Stall(ScriptedFault.AFTER_HEAD)));
      var other = new Cancellation();
      for (int i = 0; i < 2; i++) {
        transport.send(request(upstream.baseUri(), true, LONG, LONG, other));
      }
      var blocked = new CountDownLatch(1);
      var done =
          start(
              () -> {
                blocked.countDown();
                transport.send(request(true));
              });
      assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      assertThatThrownBy(() -> done.get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(IOException.class);
      assertThat(transport.leasedCount()).isEqualTo(2);
      other.cancel(Cancellation.Cause.SHUTDOWN);
      assertThat(transport.leasedCount()).isZero();
    }

    @Test
    @DisplayName("before it starts, and sends nothing")
    void before() {
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      assertThatThrownBy(() -> transport.send(request(false))).isInstanceOf(IOException.class);
      assertThat(upstream.requests()).isZero();
      assertThat(transport.leasedCount()).isZero();
    }
  }

  @Test
  @DisplayName("keeps a connection when its exchange is cancelled after its end")
  void lateCancel() throws IOException {
    upstream.script("m", Script.answer("hello"));
    try (Transport.Response response = transport.send(request(false))) {
      readAll(response.body());
    }
    cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    Transport.Request next = request(upstream.baseUri(), false, LONG, LONG, new Cancellation());
    try (Transport.Response response = transport.send(next)) {
      assertThat(readAll(response.body())).contains("hello");
    }
    assertThat(upstream.connections()).isEqualTo(1);
  }

  @Test
  @DisplayName("ends a read that waits too long, wherever the answer stalls")
  void silence() {
    for (int at : new int[] {ScriptedFault.BEFORE_HEAD, ScriptedFault.AFTER_HEAD, 1}) {
      upstream.answerNextWith(Script.failing(new ScriptedFault.Stall(at)));
      var short60 =
          request(upstream.baseUri(), true, LONG, Duration.ofMillis(60), new Cancellation());
      assertThatThrownBy(
              () -> {
                try (Transport.Response response = transport.send(short60)) {
                  readAll(response.body());
                }
              })
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(transport.leasedCount()).isZero();
    }
  }

  @Test
  @DisplayName("ends a read that waits too long also by sweeps, without socket timeouts")
  void sweptSilence() {
    transport.startSweeping(ambient);
    silence();
  }

  @Test
  @DisplayName("fails when no connection becomes free within the time to connect")
  void poolTimeout() throws IOException {
    upstream.script("m", Script.failing(new ScriptedFault.Stall(ScriptedFault.AFTER_HEAD)));
    for (int i = 0; i < 2; i++) {
      transport.send(request(true));
    }
    var impatient =
        request(upstream.baseUri(), true, Duration.ofMillis(40), LONG, new Cancellation());
    assertThatThrownBy(() -> transport.send(impatient))
        .isInstanceOf(Transport.NoFreeConnectionException.class)
        .hasMessageContaining("no connection became free");
    cancellation.cancel(Cancellation.Cause.SHUTDOWN);
  }

  @Test
  @DisplayName("fails when no server listens")
  void refused() throws IOException {
    int port;
    try (var unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = unused.getLocalPort();
    }
    URI unusedPort = URI.create("http://127.0.0.1:" + port + "/v1");
    assertThatThrownBy(
            () -> transport.send(request(unusedPort, false, LONG, LONG, new Cancellation())))
        .isInstanceOf(IOException.class);
  }

  @Test
  @DisplayName("bounds the head, in one line and in all of them")
  void endlessHead() {
    var many = new HashMap<String, String>();
    for (int i = 0; i < 300; i++) {
      many.put("X-" + i, "v");
    }
    for (Map<String, String> headers : List.of(Map.of("X-Long", "v".repeat(100_000)), many)) {
      upstream.answerNextWith(Script.responding(200, headers, "{}"));
      assertThatThrownBy(() -> transport.send(request(false)).close())
          .isInstanceOf(IOException.class);
      assertThat(transport.leasedCount() + transport.idleCount()).isZero();
    }
  }

  @Test
  @DisplayName("closes a connection whose body was malformed, even if the end of the body follows")
  void brokenBody() throws IOException {
    var over = new CountDownLatch(1);
    try (RawUpstream server =
        RawUpstream.start(
            ambient,
            false,
            connection -> {
              connection.readRequest();
              connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
              connection.write("zz\r\n\r\n0\r\n\r\n");
              over.await();
            })) {
      var once = request(server.baseUri(), false, LONG, LONG, new Cancellation());
      try (Transport.Response response = transport.send(once)) {
        assertThatThrownBy(() -> readAll(response.body())).isInstanceOf(IOException.class);
        response.finish();
      }
      assertThat(transport.leasedCount() + transport.idleCount()).isZero();
      over.countDown();
    }
  }

  @Test
  @DisplayName("fails when the answer is not HTTP, or ends too early")
  void notHttp() {
    for (ScriptedFault scriptedFault :
        new ScriptedFault[] {
          new ScriptedFault.Garbage(ScriptedFault.BEFORE_HEAD),
          new ScriptedFault.CutInside(ScriptedFault.BEFORE_HEAD),
          new ScriptedFault.Cut(ScriptedFault.BEFORE_HEAD),
          new ScriptedFault.Cut(1),
          new ScriptedFault.CutInside(2)
        }) {
      upstream.answerNextWith(Script.failing(scriptedFault));
      assertThatThrownBy(
              () -> {
                try (Transport.Response response = transport.send(request(true))) {
                  readAll(response.body());
                }
              })
          .as(scriptedFault.toString())
          .isInstanceOf(IOException.class);
      assertThat(transport.leasedCount()).isZero();
    }
  }

  @Test
  @DisplayName("reports a protocol error when a TLS library throws an undeclared exception")
  void undeclared() throws Exception {
    var failing = new FailingTlsContext();
    try (var fragile = new ApacheTransport(ApacheTransport.Limits.DEFAULT, failing)) {
      URI secured = URI.create(upstream.baseUri().toString().replace("http:", "https:"));
      assertThatThrownBy(
              () -> fragile.send(request(secured, false, LONG, LONG, new Cancellation())))
          .isInstanceOf(ProtocolException.class)
          .hasRootCause(failing.thrown);
      assertThat(fragile.leasedCount() + fragile.idleCount()).isZero();
    }
  }

  /** A TLS context whose every use throws an undeclared exception. */
  private static final class FailingTlsContext extends SSLContext {
    private final RuntimeException thrown;

    FailingTlsContext() {
      this(new IllegalStateException("an unexpected record"));
    }

    private FailingTlsContext(RuntimeException thrown) {
      super(new FailingSpi(thrown), null, "TLS");
      this.thrown = thrown;
    }
  }

  private static final class FailingSpi extends SSLContextSpi {
    private final RuntimeException thrown;

    FailingSpi(RuntimeException thrown) {
      this.thrown = thrown;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {}

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      throw thrown;
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      throw thrown;
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      throw thrown;
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      throw thrown;
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      throw thrown;
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      throw thrown;
    }
  }

  @Test
  @DisplayName("ends exchanges in progress and refuses later ones when it is closed")
  void close() throws Exception {
    upstream.script("m", Script.failing(new ScriptedFault.Stall(ScriptedFault.AFTER_HEAD)));
    InputStream body = transport.send(request(true)).body();
    var done = start(() -> readAll(body));
    transport.close();
    assertThatThrownBy(() -> done.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> transport.send(request(true)))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("the transport is closed");
    assertThat(upstream.awaitClientGone(LONG)).isTrue();
  }

  @Test
  @DisplayName("rejects limits outside their range")
  void limits() {
    assertThatThrownBy(() -> new ApacheTransport.Limits(0, 5)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> new ApacheTransport.Limits(5, 4)).hasMessageContaining("(5), was 4");
    assertThat(new ApacheTransport.Limits(1, 1).total()).isEqualTo(1);
  }
}
