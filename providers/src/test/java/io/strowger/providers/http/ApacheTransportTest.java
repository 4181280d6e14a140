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
  void nothingIsLeft() {
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

  private static String all(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("sends the body and the headers and adds nothing that invites other answers")
  void sends() throws IOException {
    upstream.script("m", Script.answer("hello"));
    try (Transport.Response response = transport.send(request(false))) {
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.header("content-TYPE")).isEqualTo("application/json");
      assertThat(response.header("absent")).isNull();
      assertThat(all(response.body())).contains("\"hello\"");
    }
    assertThat(upstream.last().text()).isEqualTo("{\"model\":\"m\",\"stream\":false}");
    assertThat(upstream.last().headers())
        .containsEntry("authorization", "Bearer s")
        .containsEntry("content-type", "application/json")
        .doesNotContainKeys("accept-encoding", "upgrade", "cookie", "user-agent");
  }

  @Test
  @DisplayName("shows refusals and redirects as they are and tries nothing again")
  void asTheyAre() throws IOException {
    for (int status : new int[] {301, 307, 401, 429, 500, 503}) {
      upstream.answerNextWith(
          Script.failing(new ScriptedFault.Refuse(status, Map.of("Location", "/elsewhere"), "no")));
      long before = upstream.requests();
      try (Transport.Response response = transport.send(request(false))) {
        assertThat(response.status()).isEqualTo(status);
        assertThat(all(response.body())).isEqualTo("no");
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
        all(response.body());
        response.close();
        response.close();
      }
      assertThat(upstream.connections()).isEqualTo(1);
      assertThat(transport.idleCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("when the reader says it has enough and little is left")
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
    @DisplayName("but not when it was left unread")
    void unread() throws IOException {
      upstream.script("m", Script.answer("hello"));
      for (int i = 0; i < 3; i++) {
        transport.send(request(true)).close();
      }
      assertThat(upstream.connections()).isEqualTo(3);
      assertThat(transport.leasedCount() + transport.idleCount()).isZero();
    }

    @Test
    @DisplayName("nor when what is left is much, or does not come")
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
   * Blocks in what is given, is cancelled from here, and must end with an exception. The upstream
   * stays silent, and the socket's own time limit is three times as long as is waited here.
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
  @DisplayName("closes a connection that waits to be used again")
  class Waiting {
    private final CountDownLatch idle = new CountDownLatch(1);
    private final CompletableFuture<RawUpstream.Connection> served = new CompletableFuture<>();

    /** Answers once, and when its client has all of it, says more. */
    private RawUpstream saying(String more) {
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
    @DisplayName("soon after its upstream said more or hung up, though nobody asks again")
    void surplus(String more) throws Exception {
      try (RawUpstream speaking = saying(more)) {
        transport.startSweeping(ambient);
        transport.startSweeping(ambient);
        var once = request(speaking.baseUri(), false, LONG, LONG, cancellation);
        try (Transport.Response response = transport.send(once)) {
          all(response.body());
        }
        idle.countDown();
        assertThat(served.get().awaitEnd(LONG)).as("closed").isTrue();
        assertThat(transport.idleCount()).isZero();
      }
    }

    @Test
    @DisplayName("when it has waited too long")
    void expired() throws IOException {
      upstream.script("m", Script.answer("hello"));
      try (var brief =
          new ApacheTransport(
              ApacheTransport.Limits.DEFAULT, TlsContext.ofJdk(), TimeValue.ofMilliseconds(1))) {
        try (Transport.Response response = brief.send(request(false))) {
          all(response.body());
        }
        while (brief.idleCount() > 0) { // for a millisecond or two
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
    @DisplayName("while it waits for the head, and the upstream sees it")
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
    @DisplayName("while it reads a body that fell silent")
    void body(int at) throws Exception {
      upstream.script("m", Script.failing(new ScriptedFault.Stall(at)));
      var blocked = new CountDownLatch(1);
      var done =
          start(
              () -> {
                InputStream body = transport.send(request(true)).body();
                blocked.countDown();
                all(body);
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
    @DisplayName("before it began: nothing is sent")
    void before() {
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      assertThatThrownBy(() -> transport.send(request(false))).isInstanceOf(IOException.class);
      assertThat(upstream.requests()).isZero();
      assertThat(transport.leasedCount()).isZero();
    }
  }

  @Test
  @DisplayName("a cancellation after the end of an exchange does not touch its connection")
  void lateCancel() throws IOException {
    upstream.script("m", Script.answer("hello"));
    try (Transport.Response response = transport.send(request(false))) {
      all(response.body());
    }
    cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    Transport.Request next = request(upstream.baseUri(), false, LONG, LONG, new Cancellation());
    try (Transport.Response response = transport.send(next)) {
      assertThat(all(response.body())).contains("hello");
    }
    assertThat(upstream.connections()).isEqualTo(1);
  }

  @Test
  @DisplayName("gives up a read that stays silent too long, at every place")
  void silence() {
    for (int at : new int[] {ScriptedFault.BEFORE_HEAD, ScriptedFault.AFTER_HEAD, 1}) {
      upstream.answerNextWith(Script.failing(new ScriptedFault.Stall(at)));
      var short60 =
          request(upstream.baseUri(), true, LONG, Duration.ofMillis(60), new Cancellation());
      assertThatThrownBy(
              () -> {
                try (Transport.Response response = transport.send(short60)) {
                  all(response.body());
                }
              })
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(transport.leasedCount()).isZero();
    }
  }

  @Test
  @DisplayName("gives up a read that stays silent too long also where sweeps end it, not timeouts")
  void sweptSilence() {
    transport.startSweeping(ambient);
    silence();
  }

  @Test
  @DisplayName("gives up waiting for a free connection when the time to connect has passed")
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
  @DisplayName("tells when nobody listens")
  void refused() throws IOException {
    int port;
    try (var unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = unused.getLocalPort();
    }
    URI nowhere = URI.create("http://127.0.0.1:" + port + "/v1");
    assertThatThrownBy(
            () -> transport.send(request(nowhere, false, LONG, LONG, new Cancellation())))
        .isInstanceOf(IOException.class);
  }

  @Test
  @DisplayName("reads a head only so far, in one line and in all of them")
  void endlessHead() {
    var many = new HashMap<String, String>();
    for (int i = 0; i < 300; i++) {
      many.put("X-" + i, "v");
    }
    for (Map<String, String> headers : List.of(Map.of("X-Long", "v".repeat(100_000)), many)) {
      upstream.answerNextWith(Script.failing(new ScriptedFault.Refuse(200, headers, "{}")));
      assertThatThrownBy(() -> transport.send(request(false)).close())
          .isInstanceOf(IOException.class);
      assertThat(transport.leasedCount() + transport.idleCount()).isZero();
    }
  }

  @Test
  @DisplayName("does not use a connection again whose body broke, though its end came later")
  void brokenBody() throws IOException {
    var over = new CountDownLatch(1);
    try (RawUpstream speaking =
        RawUpstream.start(
            ambient,
            false,
            connection -> {
              connection.readRequest();
              connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
              connection.write("zz\r\n\r\n0\r\n\r\n");
              over.await();
            })) {
      var once = request(speaking.baseUri(), false, LONG, LONG, new Cancellation());
      try (Transport.Response response = transport.send(once)) {
        assertThatThrownBy(() -> all(response.body())).isInstanceOf(IOException.class);
        response.finish();
      }
      assertThat(transport.leasedCount() + transport.idleCount()).isZero();
      over.countDown();
    }
  }

  @Test
  @DisplayName("tells when what comes is not HTTP, or ends too early")
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
                  all(response.body());
                }
              })
          .as(scriptedFault.toString())
          .isInstanceOf(IOException.class);
      assertThat(transport.leasedCount()).isZero();
    }
  }

  @Test
  @DisplayName(
      "tells of an upstream's bytes that its libraries fail at in ways they do not declare")
  void undeclared() throws Exception {
    var failing = new FailingSecurity();
    try (var fragile = new ApacheTransport(ApacheTransport.Limits.DEFAULT, failing)) {
      URI secured = URI.create(upstream.baseUri().toString().replace("http:", "https:"));
      assertThatThrownBy(
              () -> fragile.send(request(secured, false, LONG, LONG, new Cancellation())))
          .isInstanceOf(ProtocolException.class)
          .hasRootCause(failing.thrown);
      assertThat(fragile.leasedCount() + fragile.idleCount()).isZero();
    }
  }

  /** Fails at whatever comes. */
  private static final class FailingSecurity extends SSLContext {
    private final RuntimeException thrown;

    FailingSecurity() {
      this(new IllegalStateException("a record nobody expected"));
    }

    private FailingSecurity(RuntimeException thrown) {
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
  @DisplayName("closing it ends what is under way and refuses what comes later")
  void close() throws Exception {
    upstream.script("m", Script.failing(new ScriptedFault.Stall(ScriptedFault.AFTER_HEAD)));
    InputStream body = transport.send(request(true)).body();
    var done = start(() -> all(body));
    transport.close();
    assertThatThrownBy(() -> done.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> transport.send(request(true)))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("the transport is closed");
    assertThat(upstream.awaitClientGone(LONG)).isTrue();
  }

  @Test
  @DisplayName("limits outside their range are refused")
  void limits() {
    assertThatThrownBy(() -> new ApacheTransport.Limits(0, 5)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> new ApacheTransport.Limits(5, 4)).hasMessageContaining("(5), was 4");
    assertThat(new ApacheTransport.Limits(1, 1).total()).isEqualTo(1);
  }
}
