package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The HTTP host")
class HttpHostTest {
  @RegisterExtension private final ServedHost served = new ServedHost();
  private FakeApi api;
  private RawClient client;

  @BeforeEach
  void useServedHost() {
    api = served.api();
    client = served.client();
  }

  @Nested
  @DisplayName("takes a request")
  class Requests {
    @Test
    @DisplayName("with its method, raw query, and headers in any case")
    void described() throws IOException {
      client.send("PATCH /api/v1/what?a=%20b&c HTTP/1.1\r\nHost: h\r\nx-wHO: me\r\n\r\n");
      assertThat(client.response().body()).isEqualTo("PATCH a=%20b&c me");
    }

    @Test
    @DisplayName("with its path unchanged, relative to the root of the API")
    void path() throws IOException {
      assertThat(client.get("/api/v1/presets/a%20b//./%2e/").response().body())
          .isEqualTo("GET /presets/a%20b//./%2e/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"post", "Post", "pOST", "PROPFIND"})
    @DisplayName("with its method in the case it came in")
    void method(String method) throws IOException {
      client.send(RawClient.request(method, "/api/v1/other", "x"));
      assertThat(client.response().body()).isEqualTo(method + " /other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/v1", "/api/v2/echo", "/api/v1x/echo", "/echo"})
    @DisplayName("outside of the API's root, and answers it with 404 in the contract's envelope")
    void outsideOfTheRoot(String path) throws IOException {
      var response = client.get(path).response();
      assertThat(response.status()).isEqualTo(404);
      assertThat(response.header("content-type")).isEqualTo("application/json");
      assertThat(response.body())
          .isEqualTo(
              "{\"error\":{\"code\":404,\"message\":\"Resource not"
                  + " found\",\"metadata\":{\"error_type\":\"not_found\"}}}");
    }

    @Test
    @DisplayName("in chunks, however the client divides it")
    void chunked() throws IOException {
      client.send("POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
      client.send("3\r\nabc\r\n").send("2\r\nd").send("e\r\n").send("0\r\n\r\n");
      assertThat(client.response().body()).isEqualTo("abcde");
      assertThat(client.post("/api/v1/echo", "next").response().body()).isEqualTo("next");
    }

    @Test
    @DisplayName("that arrives byte by byte")
    void slowBody() throws IOException {
      String request = RawClient.request("POST", "/api/v1/echo", "slow");
      for (char c : request.toCharArray()) {
        client.send(String.valueOf(c));
      }
      assertThat(client.response().body()).isEqualTo("slow");
    }

    @Test
    @DisplayName("and others on the same connection that were sent before the answers")
    void pipelined() throws IOException {
      var all = new StringBuilder();
      for (int i = 0; i < 50; i++) {
        all.append(RawClient.request("POST", "/api/v1/echo", "n" + i));
      }
      client.send(all.toString());
      for (int i = 0; i < 50; i++) {
        assertThat(client.response().body()).isEqualTo("n" + i);
      }
    }

    @Test
    @DisplayName("after another on one connection, whether their bodies were read or not")
    void keptAlive() throws IOException {
      for (int i = 0; i < 200; i++) {
        assertThat(client.post("/api/v1/echo", "n" + i).response().body()).isEqualTo("n" + i);
        assertThat(client.post("/api/v1/refuse", "unread " + i).response().status()).isEqualTo(401);
        assertThat(client.get("/api/v1/health").response().body()).isEqualTo("{\"status\":\"ok\"}");
      }
    }

    @Test
    @DisplayName("with Expect: 100-continue, and sends the 100 only if the body is wanted")
    void expectContinue() throws IOException {
      String head =
          "POST /api/v1/%s HTTP/1.1\r\n"
              + "Host: h\r\n"
              + "Expect: 100-continue\r\n"
              + "Content-Length: %d\r\n\r\n";
      client.send(head.formatted("echo", 4));
      assertThat(client.head().status()).isEqualTo(100);
      assertThat(client.send("late").response().body()).isEqualTo("late");
      client.send(head.formatted("refuse", 100_000_000));
      assertThat(client.response().status()).isEqualTo(401);
      assertThat(client.atEnd()).isTrue();
    }
  }

  @Nested
  @DisplayName("answers")
  class Answers {
    @Test
    @DisplayName("with the length when it is known")
    void length() throws IOException {
      var response = client.post("/api/v1/echo", "héllo").response();
      assertThat(response.header("content-length")).isEqualTo("6");
      assertThat(response.header("content-type")).isEqualTo("text/plain");
      assertThat(response.body()).isEqualTo("héllo");
    }

    @Test
    @DisplayName("with each piece of a stream as soon as it is available")
    void streamed() throws IOException, InterruptedException {
      client.post("/api/v1/stream", "{}");
      BlockingQueue<String> pieces = api.next().pieces();
      pieces.add("one");
      assertThat(client.head().header("transfer-encoding")).isEqualTo("chunked");
      assertThat(client.chunk()).isEqualTo("one");
      for (int i = 0; i < 20; i++) {
        pieces.add("piece " + i);
        assertThat(client.chunk()).isEqualTo("piece " + i);
      }
      pieces.add(FakeApi.END);
      assertThat(client.chunk()).isEmpty();
      assertThat(client.post("/api/v1/echo", "and on").response().body()).isEqualTo("and on");
    }

    @Test
    @DisplayName("HEAD with only the head of GET")
    void head() throws IOException {
      client.send("HEAD /api/v1/health HTTP/1.1\r\nHost: h\r\n\r\n");
      var head = client.head();
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.header("content-length")).isEqualTo("15");
      client.send("HEAD /api/v1/what HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.head().header("content-length")).isEqualTo("9"); // "GET  null"
      assertThat(client.get("/api/v1/what").response().body()).isEqualTo("GET  null");
    }

    @Test
    @DisplayName("OPTIONS * without revealing anything")
    void optionsOfTheServer() throws IOException {
      var response = client.send("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n").response();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.header("content-length")).isEqualTo("0");
      assertThat(response.headers()).doesNotContainKey("allow");
      assertThat(api.served).isEmpty();
    }

    @Test
    @DisplayName("HEAD of a path that has only POST, without running it")
    void headOfPost() throws IOException {
      client.send("HEAD /api/v1/other HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.head().status()).isEqualTo(405);
      assertThat(api.served).containsExactly("GET /other");
    }

    @Test
    @DisplayName("with a date, and without naming the server")
    void heads() throws IOException {
      var response = client.get("/api/v1/health").response();
      assertThat(response.headers()).containsKey("date").doesNotContainKey("server");
      var refused = client.send("BAD\r\n\r\n").response();
      assertThat(refused.headers()).containsKey("date").doesNotContainKey("server");
    }

    @Test
    @DisplayName("OPTIONS of a path with the answer of the engine")
    void options() throws IOException {
      client.send("OPTIONS /api/v1/chat/completions HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.response().status()).isEqualTo(405);
    }

    @Test
    @DisplayName("500 without a detail when the engine throws")
    void engineThrows() throws IOException {
      var response = client.get("/api/v1/throw").response();
      assertThat(response.status()).isEqualTo(500);
      assertThat(response.body())
          .contains("\"Internal Server Error\"")
          .doesNotContain("secret", "Exception");
    }

    @Test
    @DisplayName(
        "a stream that fails by breaking the connection, so that the stream does not look complete")
    void streamFails() throws IOException, InterruptedException {
      client.post("/api/v1/stream", "{}");
      BlockingQueue<String> pieces = api.next().pieces();
      pieces.add("one");
      client.head();
      assertThat(client.chunk()).isEqualTo("one");
      pieces.add(FakeApi.FAIL);
      assertThatThrownBy(() -> client.chunk()).isInstanceOf(EOFException.class);
      assertThat(api.bodiesClosed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("and then closes the connection if the client asked for it")
    void closes() throws IOException {
      client.send("GET /api/v1/health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      assertThat(client.response().header("connection")).isEqualToIgnoringCase("close");
      assertThat(client.atEnd()).isTrue();
    }

    @Test
    @DisplayName("a stream completely before it closes")
    void closesStream() throws IOException, InterruptedException {
      client.send("GET /api/v1/stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      BlockingQueue<String> pieces = api.next().pieces();
      pieces.add("one");
      client.head();
      assertThat(client.chunk()).isEqualTo("one");
      pieces.add(FakeApi.END);
      assertThat(client.chunk()).isEmpty();
      assertThat(client.atEnd()).isTrue();
    }

    @Test
    @DisplayName("so that a client that sends a large, unwanted body can still read the refusal")
    void refusedLargeBody() throws IOException {
      client.send("POST /api/v1/refuse HTTP/1.1\r\nHost: h\r\nContent-Length: 20000000\r\n\r\n");
      for (int i = 0; i < 20; i++) {
        client.send(new byte[1_000_000]);
      }
      var response = client.response();
      assertThat(response.status()).isEqualTo(401);
      assertThat(response.header("connection")).isEqualToIgnoringCase("close");
      assertThat(client.atEnd()).isTrue();
    }
  }

  @Nested
  @DisplayName("refuses in the contract's envelope")
  class Refused {
    @Test
    @DisplayName("headers of more than 32 KiB")
    void hugeHeader() throws IOException {
      client.send(
          "GET /api/v1/health HTTP/1.1\r\nHost: h\r\nX-Big: " + "x".repeat(40_000) + "\r\n\r\n");
      assertRefused(client.response());
    }

    @Test
    @DisplayName("but accepts headers of 30 KB")
    void largeHeader() throws IOException {
      client.send(
          "GET /api/v1/health HTTP/1.1\r\nHost: h\r\nX-Big: " + "x".repeat(30_000) + "\r\n\r\n");
      assertThat(client.response().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "GARBAGE\r\n\r\n",
          "GET /api/v1/%zz HTTP/1.1\r\nHost: h\r\n\r\n",
          "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n",
          "POST /api/v1/echo HTTP/1.1\r\n"
              + "Host: h\r\n"
              + "Content-Length: 3\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n"
        })
    @DisplayName("a request that is not valid HTTP")
    void notHttp(String bytes) throws IOException {
      client.send(bytes);
      assertRefused(client.response());
    }

    @Test
    @DisplayName("a head that is not valid HTTP, with what is wrong with it")
    void reason() throws IOException {
      client.send("GET /api/v1/echo HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n");
      assertThat(client.response().body())
          .contains("\"Not a valid HTTP request: the field Host occurs more than once\"");
    }

    @Test
    @DisplayName("a body that is not valid HTTP")
    void badChunk() throws IOException {
      client.send(
          "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
      var response = client.response();
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.body())
          .contains("\"The body of the request is incomplete or not valid HTTP\"");
      assertThat(client.atEnd()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {100_000_000, 100_000_001})
    @DisplayName(
        "a body or chunk that is larger than the server's limit, but none of exactly the limit")
    void tooLarge(int size) throws IOException {
      try (var other = new RawClient(served.port())) {
        client.send(
            "POST /api/v1/refuse HTTP/1.1\r\nHost: h\r\nContent-Length: " + size + "\r\n\r\n");
        assertThat(client.head().status()).isEqualTo(size > 100_000_000 ? 413 : 401);
        other.send("POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
        other.send(Integer.toHexString(size) + "\r\n");
        if (size > 100_000_000) {
          var response = other.response();
          assertThat(response.status()).isEqualTo(413);
          assertThat(response.body()).contains("\"Request payload too large\"");
        }
      }
    }

    private void assertRefused(RawClient.Response response) throws IOException {
      assertThat(response.status()).isBetween(400, 505);
      assertThat(response.body())
          .startsWith(
              "{\"error\":{\"code\":"
                  + response.status()
                  + ",\"message\":\"Not a valid HTTP request")
          .doesNotContain("xception");
      assertThat(client.atEnd()).isTrue();
    }
  }

  @Nested
  @DisplayName("cannot start")
  class CannotStart {
    @Test
    @DisplayName("on a port that is in use, and reports it")
    void portInUse() {
      assertThatThrownBy(
              () ->
                  HttpHost.start(
                      api,
                      new HttpHost.Settings("127.0.0.1", served.port(), 1, Duration.ZERO),
                      served.threads()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "cannot listen on 127.0.0.1:" + served.port() + ": Address already in use");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    @DisplayName("on an invalid port")
    void noPort(int port) {
      assertThatThrownBy(() -> new HttpHost.Settings("127.0.0.1", port, 1, Duration.ZERO))
          .hasMessage("port must be 0 to 65535, was " + port);
    }
  }
}
