package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a request which a proxy before the host could understand differently from the host is
 * refused, and that nothing after it is taken for a request.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
@DisplayName("No request is hidden in another")
class DesyncTest {
  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();
  private HttpHost host;

  @BeforeAll
  void start() throws IOException {
    host =
        HttpHost.start(
            api, new HttpHost.Settings("127.0.0.1", 0, 1_000_000, Duration.ofMillis(200)), threads);
  }

  @AfterAll
  void stop() {
    host.close();
  }

  @BeforeEach
  void clearServed() {
    api.served.clear();
  }

  static Stream<AmbiguousRequest> heads() {
    return AmbiguousRequest.heads();
  }

  static Stream<AmbiguousRequest> bodies() {
    return AmbiguousRequest.bodies();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("heads")
  @DisplayName("a head that can be read in two ways is refused and the connection closed")
  void head(AmbiguousRequest suspect) throws IOException {
    try (var client = new RawClient(host.port())) {
      client.send(suspect.bytes("/api/v1/echo")).send(AmbiguousRequest.HIDDEN);
      var response = client.response();
      assertThat(response.status()).isEqualTo(suspect.status());
      assertThat(response.header("content-type")).isEqualTo("application/json");
      assertThat(response.header("connection")).isEqualToIgnoringCase("close");
      assertThat(response.body()).startsWith("{\"error\":{\"code\":" + suspect.status());
      assertThat(client.rest()).isEmpty();
    }
    assertThat(api.served).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  @DisplayName("a body that can be read in two ways is refused and the connection closed")
  void body(AmbiguousRequest suspect) throws IOException {
    try (var client = new RawClient(host.port())) {
      client.send(suspect.bytes("/api/v1/echo")).send(AmbiguousRequest.HIDDEN);
      var response = client.response();
      assertThat(response.status()).isEqualTo(suspect.status());
      assertThat(response.body()).startsWith("{\"error\":{\"code\":" + suspect.status());
      assertThat(client.rest()).isEmpty();
    }
    assertThat(api.served).containsExactly("POST /echo");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  @DisplayName("an ambiguous body that the API does not read is not followed by another request")
  void unreadBody(AmbiguousRequest suspect) throws IOException {
    try (var client = new RawClient(host.port())) {
      client.send(suspect.bytes("/api/v1/refuse")).send(AmbiguousRequest.HIDDEN);
      assertThat(client.response().status()).isEqualTo(401);
      assertThat(client.rest()).isEmpty();
    }
    assertThat(api.served).containsExactly("POST /refuse");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("heads")
  @DisplayName("an ambiguous head with Expect: 100-continue is refused and the connection closed")
  void expectingHead(AmbiguousRequest suspect) throws IOException {
    head(suspect.expectingContinue());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  @DisplayName(
      "an ambiguous body that was sent without waiting for 100 is not followed by another request")
  void expectingBody(AmbiguousRequest suspect) throws IOException {
    try (var client = new RawClient(host.port())) {
      client.send(suspect.expectingContinue().bytes("/api/v1/refuse"));
      client.send(AmbiguousRequest.HIDDEN);
      assertThat(client.response().status()).isEqualTo(401);
      assertNothingFollows(client);
    }
    assertThat(api.served).containsExactly("POST /refuse");
  }

  /** When a client sends its body if the request with {@code Expect: 100-continue} is refused. */
  enum Sending {
    AT_ONCE,
    LATER,
    NEVER
  }

  static Stream<Arguments> refusedExpectations() {
    return Stream.of(Sending.values())
        .flatMap(
            sending ->
                Stream.of("/api/v1/refuse", "/livez", "/nowhere", "/api/v1/nowhere", "*")
                    .flatMap(
                        path ->
                            Stream.of(
                                arguments(sending, path, false), arguments(sending, path, true))));
  }

  @ParameterizedTest(name = "sent {0} to {1}, in chunks: {2}")
  @MethodSource("refusedExpectations")
  @DisplayName("a body that looks like a request is not served as one if no 100 was sent for it")
  void unasked(Sending sending, String path, boolean chunked) throws IOException {
    String method = path.equals("*") ? "OPTIONS" : "POST";
    String body =
        chunked
            ? "%x\r\n%s\r\n0\r\n\r\n"
                .formatted(AmbiguousRequest.HIDDEN.length(), AmbiguousRequest.HIDDEN)
            : AmbiguousRequest.HIDDEN;
    String head =
        "%s %s HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n%s\r\n\r\n"
            .formatted(
                method,
                path,
                chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length());
    String next = RawClient.request("GET", "/api/v1/victim", "");
    try (var client = new RawClient(host.port())) {
      client.send(sending == Sending.AT_ONCE ? head + body + next : head);
      var response = client.response();
      assertThat(response.header("connection")).isEqualToIgnoringCase("close");
      switch (sending) {
        case AT_ONCE -> {}
        case LATER -> send(client, body + next);
        case NEVER -> send(client, next);
      }
      assertNothingFollows(client);
    }
    assertThat(api.served).doesNotContain("GET /hidden", "GET /victim").hasSizeLessThan(2);
  }

  /** Sends a text, though the server may have closed the connection already. */
  private static void send(RawClient client, String text) {
    try {
      client.send(text);
    } catch (IOException closed) {
      // nothing can follow then
    }
  }

  private static void assertNothingFollows(RawClient client) {
    String rest;
    try {
      rest = client.rest();
    } catch (IOException reset) {
      return;
    }
    assertThat(rest).isEmpty();
  }

  @Test
  @DisplayName(
      "a body for which a 100 was sent is read, and the connection serves the next request")
  void askedFor() throws IOException {
    try (var client = new RawClient(host.port())) {
      client.send(
          "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
              + "Content-Length: %d\r\n\r\n%s"
                  .formatted(AmbiguousRequest.HIDDEN.length(), AmbiguousRequest.HIDDEN)
              + RawClient.request("POST", "/api/v1/echo", "next"));
      assertThat(client.head().status()).isEqualTo(100);
      assertThat(client.response().body()).isEqualTo(AmbiguousRequest.HIDDEN);
      assertThat(client.response().body()).isEqualTo("next");
    }
    assertThat(api.served).containsExactly("POST /echo", "POST /echo");
  }

  @Test
  @DisplayName("a request after a valid one is answered, and nothing else")
  void next() throws IOException {
    try (var client = new RawClient(host.port())) {
      client.send(
          "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "5;ext=\"0\r\n".replace("\r\n", "\"\r\n")
              + "hello\r\n0\r\nX-Sum: 1\r\n\r\n"
              + RawClient.request("POST", "/api/v1/echo", "next"));
      assertThat(client.response().body()).isEqualTo("hello");
      assertThat(client.response().body()).isEqualTo("next");
    }
    assertThat(api.served).containsExactly("POST /echo", "POST /echo");
  }
}
