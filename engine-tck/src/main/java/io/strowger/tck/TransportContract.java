package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The contract test of {@link Transport}: no request receives the answer to another one, even if an
 * upstream sends surplus bytes, and bytes that are not HTTP fail with a {@link ProtocolException}.
 * The author of a transport extends this class and creates the transport.
 *
 * <p>Latches, not time, determine when surplus bytes are sent: the upstream writes them when the
 * client has reached a certain point, and the client then waits until they are written.
 */
public abstract class TransportContract {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String FIRST = "{\"n\":\"first\"}";
  private static final String WRONG = "{\"the answer of\":\"somebody else\"}";

  /**
   * A size in bytes that exceeds the buffers of both sockets, so that a writer waits for its
   * reader.
   */
  private static final int LARGE = 6 << 20;

  private final TestAmbient ambient = TestAmbient.realTime();
  private final List<AutoCloseable> resources = new ArrayList<>();

  /**
   * Creates a transport. It may pool connections, and must allow at least two to one upstream.
   *
   * @param tlsContext the TLS context that determines which upstreams are trusted
   */
  protected abstract Transport transport(SSLContext tlsContext);

  /** Closes everything a test has opened. */
  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable resource : resources) {
      resource.close();
    }
    ambient.assertNoThreadsLeft();
  }

  /** The surplus that an upstream sends without a request. */
  private enum Surplus {
    SECOND_RESPONSE(response(200, WRONG)),
    BODY_BYTES(WRONG),
    INTERIM_RESPONSE("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"),
    REQUEST_TIMEOUT(
        "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    /** The first bytes of a TLS record or of a response head. */
    HALF(""),
    /** No bytes, but the end of the connection. */
    END("");

    private final String bytes;

    Surplus(String bytes) {
      this.bytes = bytes;
    }

    void write(RawUpstream.Connection connection) throws IOException {
      switch (this) {
        case HALF -> connection.writePartial();
        case END -> connection.close();
        case SECOND_RESPONSE, BODY_BYTES, INTERIM_RESPONSE, REQUEST_TIMEOUT ->
            connection.write(bytes);
      }
    }
  }

  /** The moment at which the surplus is sent. */
  private enum Moment {
    /** In the same write as the end of the response, if the surplus has bytes. */
    WITH_THE_END,
    /** After the response, before the client has read its end. */
    BEFORE_THE_END_WAS_READ,
    /** While the connection is idle in the pool. */
    WHILE_IDLE,
    /** After the head of the next request has arrived and before all of its body has. */
    WHILE_THE_NEXT_IS_WRITTEN
  }

  private static String response(int status, String body) {
    return "HTTP/1.1 %d Whatever\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(status, body.length(), body);
  }

  private static String chunked(String body) {
    return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
        .formatted(body.length(), body);
  }

  private static String answer(String request) {
    return "{\"answer\":" + (request.length() > 100 ? request.length() : request) + "}";
  }

  private <T extends AutoCloseable> T closeLater(T resource) {
    resources.add(resource);
    return resource;
  }

  private Transport transport() {
    return closeLater(transport(RawUpstream.loopbackTlsContext()));
  }

  private static Transport.Request request(URI uri, String body, Object poolKey) {
    return new Transport.Request(
        uri,
        Map.of("Authorization", "Bearer secret"),
        JsonOutput.of(body.getBytes(StandardCharsets.UTF_8)),
        PATIENCE,
        PATIENCE,
        poolKey,
        new Cancellation());
  }

  private static String readAll(Transport.Response response) throws IOException {
    return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String ask(Transport transport, URI uri, String body) throws IOException {
    try (Transport.Response response = transport.send(request(uri, body, ""))) {
      return readAll(response);
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as("the other side reached this point")
        .isTrue();
  }

  /** An upstream that answers, and sends a surplus once, at a given moment. */
  private final class SurplusUpstream {
    private final Surplus surplus;
    private final Moment moment;
    private final boolean chunked;
    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch written = new CountDownLatch(1);
    private final CompletableFuture<RawUpstream.Connection> first = new CompletableFuture<>();
    private final RawUpstream upstream;

    SurplusUpstream(boolean secured, Surplus surplus, Moment moment, boolean chunked) {
      this.surplus = surplus;
      this.moment = moment;
      this.chunked = chunked;
      this.upstream = closeLater(RawUpstream.start(ambient, secured, this::serve));
    }

    private void serve(RawUpstream.Connection connection) throws IOException, InterruptedException {
      first.complete(connection);
      boolean isFirst = connection.number() == 1;
      while (true) {
        String head = connection.readHead();
        boolean interrupts = isFirst && written.getCount() == 1 && requested.getCount() == 0;
        if (interrupts && moment == Moment.WHILE_THE_NEXT_IS_WRITTEN) {
          surplus.write(connection);
          written.countDown();
        }
        String body = connection.readBody(head);
        String response = chunked ? chunked(answer(body)) : response(200, answer(body));
        if (isFirst && written.getCount() == 1) {
          writeSurplus(connection, response);
        } else {
          connection.write(response);
        }
      }
    }

    private void writeSurplus(RawUpstream.Connection connection, String response)
        throws IOException, InterruptedException {
      if (moment == Moment.WITH_THE_END && !surplus.bytes.isEmpty()) {
        connection.write(response + surplus.bytes);
        written.countDown();
        return;
      }
      connection.write(response);
      if (moment == Moment.WHILE_THE_NEXT_IS_WRITTEN) {
        return;
      }
      if (moment == Moment.WHILE_IDLE) {
        await(requested);
      }
      surplus.write(connection);
      written.countDown();
    }

    /** Sends two requests, one after the other, and returns the answer to the second one. */
    String askTwice(Transport transport, Duration gap) throws Exception {
      URI uri = upstream.baseUri();
      Transport.Response response = transport.send(request(uri, FIRST, ""));
      if (moment == Moment.WITH_THE_END || moment == Moment.BEFORE_THE_END_WAS_READ) {
        await(written);
      }
      assertThat(readAll(response)).isEqualTo(answer(FIRST));
      response.close();
      if (moment == Moment.WITH_THE_END || moment == Moment.BEFORE_THE_END_WAS_READ) {
        assertThat(first.get().awaitEnd(PATIENCE)).as("the connection was closed at once").isTrue();
      }
      ambient.sleep(gap);
      requested.countDown();
      if (moment == Moment.WHILE_IDLE) {
        await(written);
      }
      return ask(transport, uri, second());
    }

    String second() {
      return moment == Moment.WHILE_THE_NEXT_IS_WRITTEN
          ? "\"" + "x".repeat(LARGE) + "\""
          : "{\"n\":\"second\"}";
    }

    void check(Transport transport) throws Exception {
      if (moment == Moment.WHILE_THE_NEXT_IS_WRITTEN) {
        try {
          assertThat(askTwice(transport, Duration.ZERO)).isEqualTo(answer(second()));
        } catch (IOException refused) {
          assertThat(upstream.connections()).isEqualTo(1);
        }
        return;
      }
      assertThat(askTwice(transport, Duration.ZERO)).isEqualTo(answer(second()));
      assertThat(upstream.connections()).isEqualTo(2);
      assertThat(first.get().awaitEnd(PATIENCE)).as("closed").isTrue();
    }

    @Override
    public String toString() {
      return "%s %s, %s, %s"
          .formatted(
              surplus, moment, upstream.baseUri().getScheme(), chunked ? "chunked" : "of a length");
    }
  }

  private Stream<DynamicTest> matrix(boolean chunked, List<Moment> moments) {
    var tests = new ArrayList<DynamicTest>();
    for (boolean secured : new boolean[] {false, true}) {
      for (Moment moment : moments) {
        for (Surplus surplus : Surplus.values()) {
          var talkative = new SurplusUpstream(secured, surplus, moment, chunked);
          tests.add(
              DynamicTest.dynamicTest(talkative.toString(), () -> talkative.check(transport())));
        }
      }
    }
    return tests.stream();
  }

  @TestFactory
  @DisplayName("the next request gets its own answer, whatever surplus arrived before it was sent")
  Stream<DynamicTest> surplus() {
    return matrix(
        false, List.of(Moment.WITH_THE_END, Moment.BEFORE_THE_END_WAS_READ, Moment.WHILE_IDLE));
  }

  @TestFactory
  @Tag("full")
  @DisplayName("the next request gets its own answer, also after a chunked response")
  Stream<DynamicTest> surplusBehindChunks() {
    return matrix(
        true, List.of(Moment.WITH_THE_END, Moment.BEFORE_THE_END_WAS_READ, Moment.WHILE_IDLE));
  }

  @Test
  @DisplayName(
      "a response that arrives before its request was completely sent is not used as an answer")
  void beforeTheEndOfTheRequest() throws Exception {
    new SurplusUpstream(false, Surplus.SECOND_RESPONSE, Moment.WHILE_THE_NEXT_IS_WRITTEN, false)
        .check(transport());
  }

  @TestFactory
  @Tag("full")
  @DisplayName(
      "a surplus that arrives before a request was completely sent is not used as an answer")
  Stream<DynamicTest> beforeTheEndOfRequests() {
    return matrix(true, List.of(Moment.WHILE_THE_NEXT_IS_WRITTEN));
  }

  @Test
  @Tag("full")
  @Tag("long")
  @DisplayName("the next request gets its own answer after waits of up to 20 seconds")
  void afterWaits() throws Exception {
    Transport transport = transport();
    var done = new ArrayList<CompletableFuture<Void>>();
    for (int millis : new int[] {0, 20, 200, 1_000, 1_500, 5_000, 20_000}) {
      for (Surplus surplus : Surplus.values()) {
        for (boolean secured : new boolean[] {false, true}) {
          done.add(
              waiting(
                  transport,
                  new SurplusUpstream(secured, surplus, Moment.WHILE_IDLE, false),
                  millis));
        }
      }
    }
    for (CompletableFuture<Void> one : done) {
      one.get(60, TimeUnit.SECONDS);
    }
  }

  private CompletableFuture<Void> waiting(
      Transport transport, SurplusUpstream talkative, int millis) {
    var done = new CompletableFuture<Void>();
    ambient.start(
        talkative.toString(),
        () -> {
          try {
            assertThat(talkative.askTwice(transport, Duration.ofMillis(millis)))
                .isEqualTo(answer(talkative.second()));
            done.complete(null);
          } catch (Exception | AssertionError failed) {
            done.completeExceptionally(failed);
          }
        });
    return done;
  }

  private static Transport.Request withoutBody(Transport.Method method, URI uri) {
    return new Transport.Request(
        method,
        uri,
        Map.of("Accept", "text/html"),
        null,
        PATIENCE,
        PATIENCE,
        "",
        new Cancellation());
  }

  private static Transport.Request put(URI uri) {
    return new Transport.Request(
        Transport.Method.PUT,
        uri,
        Map.of(),
        "text/plain",
        JsonOutput.of("put".getBytes(StandardCharsets.UTF_8)),
        PATIENCE,
        PATIENCE,
        "",
        new Cancellation());
  }

  @Test
  @DisplayName(
      "a GET and a POST without a body and a PUT are sent as such, among others on one connection")
  void methods() throws IOException {
    RawUpstream upstream =
        closeLater(
            RawUpstream.start(
                ambient,
                false,
                connection -> {
                  while (true) {
                    String head = connection.readHead();
                    connection.write(response(200, head + connection.readBody(head)));
                  }
                }));
    Transport transport = transport();
    URI uri = URI.create(upstream.baseUri() + "/page?q=a%20b#part");
    for (int i = 0; i < 2; i++) {
      try (Transport.Response response = transport.send(withoutBody(Transport.Method.GET, uri))) {
        assertThat(readAll(response))
            .startsWith("GET /page?q=a%20b HTTP/1.1\r\nHost: 127.0.0.1:")
            .containsOnlyOnce("Accept: text/html\r\n")
            .doesNotContainIgnoringCase("content-")
            .doesNotContainIgnoringCase("transfer-encoding")
            .endsWith("\r\n\r\n");
      }
      try (Transport.Response response = transport.send(withoutBody(Transport.Method.POST, uri))) {
        assertThat(readAll(response))
            .startsWith("POST /page?q=a%20b HTTP/1.1\r\n")
            .containsOnlyOnce("Content-Length: 0\r\n")
            .doesNotContainIgnoringCase("content-type")
            .endsWith("\r\n\r\n");
      }
      try (Transport.Response response = transport.send(put(uri))) {
        assertThat(readAll(response))
            .startsWith("PUT /page?q=a%20b HTTP/1.1\r\n")
            .containsOnlyOnce("Content-Length: 3\r\n")
            .containsOnlyOnce("Content-Type: text/plain\r\n")
            .endsWith("\r\n\r\nput");
      }
      assertThat(ask(transport, uri, FIRST)).startsWith("POST ").endsWith("\r\n\r\n" + FIRST);
    }
    assertThat(upstream.connections()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "a response to a GET is returned as it is: redirects are not followed, nothing is decoded")
  void asTheyAre() throws IOException {
    RawUpstream upstream =
        closeLater(
            RawUpstream.start(
                ambient,
                false,
                connection -> {
                  while (true) {
                    connection.readHead();
                    connection.write(
                        "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Encoding: gzip\r\n"
                            + "Set-Cookie: a=b\r\nContent-Length: 4\r\n\r\nnone");
                  }
                }));
    Transport transport = transport();
    for (int i = 0; i < 2; i++) {
      try (Transport.Response response =
          transport.send(withoutBody(Transport.Method.GET, upstream.baseUri()))) {
        assertThat(response.status()).isEqualTo(302);
        assertThat(response.header("location")).isEqualTo("/elsewhere");
        assertThat(response.header("content-encoding")).isEqualTo("gzip");
        assertThat(readAll(response)).isEqualTo("none");
      }
    }
    assertThat(upstream.connections()).isEqualTo(1);
  }

  private RawUpstream compliantUpstream(boolean secured) {
    return closeLater(
        RawUpstream.start(
            ambient,
            secured,
            connection -> {
              while (true) {
                connection.write(response(200, answer(connection.readRequest())));
              }
            }));
  }

  @Test
  @DisplayName("connections are reused, but never for requests of different pool keys")
  void poolKeys() throws IOException {
    for (boolean secured : new boolean[] {false, true}) {
      RawUpstream upstream = compliantUpstream(secured);
      Transport transport = transport();
      for (String key : List.of("a", "a", "b", "b", "a", "b", "a")) {
        try (Transport.Response response =
            transport.send(request(upstream.baseUri(), FIRST, key))) {
          assertThat(readAll(response)).isEqualTo(answer(FIRST));
        }
      }
      assertThat(upstream.connections()).isEqualTo(2);
    }
  }

  /**
   * Starts an upstream that answers the first request with these bytes and closes the connection,
   * and returns its address.
   */
  private URI sendingUpstream(String bytes) {
    return closeLater(
            RawUpstream.start(
                ambient,
                false,
                connection -> {
                  connection.readRequest();
                  connection.write(bytes);
                }))
        .baseUri();
  }

  @Test
  @DisplayName("bytes that are not an HTTP response fail with a ProtocolException")
  void malformed() {
    Transport transport = transport();
    String body = "\r\nContent-Length: 2\r\n\r\n{}";
    for (String bytes :
        List.of(
            "HTTP/1.1 000 Zero" + body,
            "HTTP/1.1 0 Zero" + body,
            "HTTP/1.1 99 Low" + body,
            "HTTP/1.1 600 High" + body,
            "HTTP/1.1 2000 Long" + body,
            "HTTP/1.1 99999999999999999999 Huge" + body,
            "HTTP/1.1 -200 Negative" + body,
            "HTTP/1.1 abc Word" + body,
            "HTTP/1.1" + body,
            "HTTP/1.1 " + body,
            "HTTP/9.9 200 OK" + body,
            "HTTP/2.0 200 OK" + body,
            "HTTP/ 200 OK" + body,
            "HTTQ/1.1 200 OK" + body,
            "\u0000\u0001\u0002\r\n\r\n",
            "SSH-2.0-OpenSSH_9.9\r\n" + "x\r\n".repeat(50),
            "\r\n".repeat(100),
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n".repeat(200),
            "HTTP/1.1 200 OK\r\n: no name\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\n" + "X-A: b\r\n".repeat(300) + "\r\n",
            "HTTP/1.1 200 OK\r\nX-A: " + "b".repeat(1 << 17) + "\r\n\r\n",
            "HTTP/1.1 200 " + "b".repeat(1 << 17) + "\r\n\r\n",
            "HTTP/1.1 200 OK\r\n" + ("X-A: " + "b".repeat(8_000) + "\r\n").repeat(150) + "\r\n")) {
      assertThatThrownBy(() -> ask(transport, sendingUpstream(bytes), FIRST))
          .as(bytes.substring(0, Math.min(60, bytes.length())))
          .isInstanceOf(ProtocolException.class)
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  @DisplayName("bytes that are not a chunked body fail with a ProtocolException")
  void malformedBodies() {
    Transport transport = transport();
    String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (String chunks :
        List.of(
            "xyz\r\n{}\r\n0\r\n\r\n",
            "-2\r\n{}\r\n0\r\n\r\n",
            "+2\r\n{}\r\n0\r\n\r\n",
            "0x2\r\n{}\r\n0\r\n\r\n",
            "2 {}\r\n{}\r\n0\r\n\r\n",
            " 2\r\n{}\r\n0\r\n\r\n",
            "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
            "\r\n{}\r\n0\r\n\r\n",
            "2\r\n{}more\r\n0\r\n\r\n",
            "2;" + "x".repeat(1 << 17) + "\r\n{}\r\n0\r\n\r\n",
            "2\r\n{}\r\n0\r\n" + ("X-A: " + "b".repeat(90) + "\r\n").repeat(100) + "\r\n",
            "2\r\n{}\r\n0\r\nno colon\r\n\r\n")) {
      assertThatThrownBy(() -> ask(transport, sendingUpstream(head + chunks), FIRST))
          .as(chunks.substring(0, Math.min(60, chunks.length())))
          .isInstanceOf(ProtocolException.class);
    }
  }

  @Test
  @DisplayName("chunk extensions and a few trailers are ignored, and the connection is kept")
  void extendedChunks() throws IOException {
    RawUpstream upstream =
        closeLater(
            RawUpstream.start(
                ambient,
                false,
                connection -> {
                  while (true) {
                    connection.readRequest();
                    connection.write(
                        "HTTP/1.1 200 OK\r\n"
                            + "Transfer-Encoding: chunked\r\n"
                            + "Trailer: X-Sum\r\n\r\n"
                            + "001;a=b\r\n"
                            + "{\r\n"
                            + "A ;c\r\n"
                            + "\"a\":12345\r\r\n"
                            + "1\t\r\n"
                            + "}\r\n"
                            + "000\r\n"
                            + "X-Sum: 7\r\n\r\n");
                  }
                }));
    Transport transport = transport();
    for (int i = 0; i < 3; i++) {
      assertThat(ask(transport, upstream.baseUri(), FIRST)).isEqualTo("{\"a\":12345\r}");
    }
    assertThat(upstream.connections()).isEqualTo(1);
  }

  @Test
  @DisplayName("a response that is cut off fails, but not as malformed")
  void cut() {
    Transport transport = transport();
    for (String bytes :
        List.of(
            "",
            "HT",
            "HTTP/1.1 2",
            "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{}")) {
      assertThatThrownBy(() -> ask(transport, sendingUpstream(bytes), FIRST))
          .as(bytes)
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(ProtocolException.class);
    }
  }

  @Test
  @DisplayName("a body after a 204 or a 304 is not used as the next answer")
  void bodyWithoutPlace() throws IOException {
    for (int status : new int[] {204, 304}) {
      RawUpstream upstream =
          closeLater(
              RawUpstream.start(
                  ambient,
                  false,
                  connection -> {
                    String body = connection.readRequest();
                    while (true) {
                      boolean first = connection.number() == 1;
                      connection.write(
                          first ? response(status, WRONG) : response(200, answer(body)));
                      body = connection.readRequest();
                    }
                  }));
      Transport transport = transport();
      assertThat(ask(transport, upstream.baseUri(), FIRST)).isEmpty();
      assertThat(ask(transport, upstream.baseUri(), FIRST)).isEqualTo(answer(FIRST));
    }
  }
}
