package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The HTTP host serves what proxies and older clients send")
class HttpFormsTest {
  private static final String CHUNKED_POST =
      "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

  @RegisterExtension private final ServedHost served = new ServedHost();
  private FakeApi api;
  private RawClient client;

  @BeforeEach
  void useServedHost() {
    api = served.api();
    client = served.client();
  }

  @Nested
  @DisplayName("HTTP/1.0")
  class Http10 {
    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          "Host: h\r\n",
          "Connection: keep-alive\r\n",
          "Host: h\r\nConnection: Keep-Alive\r\nKeep-Alive: timeout=5\r\n"
        })
    @DisplayName("with a length, closing the connection whatever the client asks for")
    void counted(String fields) throws IOException {
      client.send(
          "POST /api/v1/echo HTTP/1.0\r\n" + fields + "Content-Length: 4\r\n\r\nbodyGET / HTTP");
      var response = client.response();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("body");
      assertThat(response.header("connection")).isEqualToIgnoringCase("close");
      assertThat(client.rest()).isEmpty();
    }

    @Test
    @DisplayName("as a stream without chunks that ends with the connection, piece by piece")
    void streamed() throws Exception {
      client.send("GET /api/v1/stream HTTP/1.0\r\n\r\n");
      BlockingQueue<String> pieces = api.next().pieces();
      pieces.add("one ");
      var head = client.head();
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.headers())
          .doesNotContainKeys("transfer-encoding", "content-length")
          .containsEntry("content-type", "text/event-stream")
          .containsKey("date");
      assertThat(head.header("connection")).isEqualToIgnoringCase("close");
      assertThat(client.text(4)).isEqualTo("one ");
      pieces.add("two");
      assertThat(client.text(3)).isEqualTo("two");
      pieces.add(FakeApi.END);
      assertThat(client.rest()).isEmpty();
    }

    @Test
    @DisplayName("and notices that the client has gone")
    void gone() throws Exception {
      client.send("GET /api/v1/stream HTTP/1.0\r\n\r\n");
      FakeApi.Running running = api.next();
      running.pieces().add("one");
      client.head();
      client.close();
      assertThat(api.bodiesClosed.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(running.cancellation().isCancelled()).isTrue();
    }

    @Test
    @DisplayName("HEAD with the head only")
    void head() throws IOException {
      client.send("HEAD /api/v1/health HTTP/1.0\r\n\r\n");
      assertThat(client.head().header("content-length")).isEqualTo("15");
      assertThat(client.rest()).isEmpty();
    }

    @Test
    @DisplayName("without an interim answer, which HTTP/1.0 does not have")
    void expectation() throws IOException {
      client.send(
          "POST /api/v1/echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
      assertThat(client.send("ok").response().status()).isEqualTo(200);
    }
  }

  @Nested
  @DisplayName("chunks")
  class Chunks {
    @ParameterizedTest
    @ValueSource(
        strings = {
          "5;a\r\nhello\r\n0\r\n\r\n",
          "5;a=b;c=\"d;e\"\r\nhello\r\n0;last\r\n\r\n",
          "5 ; a = b\r\nhello\r\n0\t;x\r\n\r\n",
          "000005\r\nhello\r\n000\r\n\r\n",
          "2;x\r\nhe\r\n3;y\r\nllo\r\n0\r\n\r\n",
        })
    @DisplayName("with extensions, which it ignores")
    void extensions(String body) throws IOException {
      assertThat(client.send(CHUNKED_POST + body).response().body()).isEqualTo("hello");
      assertThat(client.post("/api/v1/echo", "next").response().body()).isEqualTo("next");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "Server-Timing: total;dur=12\r\n",
          "X-Checksum: abc\r\nX-Other:\r\n",
          "Authorization: Bearer other\r\n",
        })
    @DisplayName("with trailers, which are dropped")
    void trailers(String trailers) throws IOException {
      client.send(CHUNKED_POST + "5\r\nhello\r\n0\r\n" + trailers + "\r\n");
      assertThat(client.response().body()).isEqualTo("hello");
      assertThat(client.post("/api/v1/echo", "next").response().body()).isEqualTo("next");
    }

    @Test
    @DisplayName("of any size, without waiting for a whole one")
    void large() throws IOException {
      String text = "x".repeat(300_000);
      client.send(CHUNKED_POST + "493E0\r\n" + text + "\r\n0\r\n\r\n");
      assertThat(client.response().body()).hasSize(300_000);
    }

    @Test
    @DisplayName("that arrive byte by byte")
    void byteByByte() throws IOException {
      String request = CHUNKED_POST + "5;a=b\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 1\r\n\r\n";
      for (char c : request.toCharArray()) {
        client.send(String.valueOf(c));
      }
      assertThat(client.response().body()).isEqualTo("hello!");
    }
  }

  @Nested
  @DisplayName("requests")
  class Requests {
    @ParameterizedTest
    @ValueSource(strings = {"http://gateway.example", "HTTP://other:8080", "https://[::1]:443"})
    @DisplayName("with an absolute URI, by its path")
    void absolute(String authority) throws IOException {
      client.send("GET " + authority + "/api/v1/what?a=1 HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.response().body()).isEqualTo("GET a=1 null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "http://gateway.example", "https://other:8080"})
    @DisplayName("for the host itself: OPTIONS with * or an absolute URI without a path")
    void itself(String target) throws IOException {
      client.send("OPTIONS " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.response().status()).isEqualTo(200);
    }

    @Test
    @DisplayName("with as many short fields as 32 KiB hold, and no more")
    void fields() throws IOException {
      String start = "GET /api/v1/health HTTP/1.1\r\nHost: h\r\n";
      client.send(start + "a:\r\n".repeat(8_000) + "\r\n");
      assertThat(client.response().status()).isEqualTo(200);
      client.send(start + "a:\r\n".repeat(8_200) + "\r\n");
      assertThat(client.response().status()).isEqualTo(431);
    }

    @Test
    @DisplayName("after one empty line")
    void emptyLine() throws IOException {
      assertThat(client.post("/api/v1/echo", "a").response().body()).isEqualTo("a");
      client.send("\r\n").post("/api/v1/echo", "b");
      assertThat(client.response().body()).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"close", "Close", "keep-alive, close", "x,close ,y", "foo\r\nConnection: close"})
    @DisplayName("that close the connection in any spelling")
    void close(String value) throws IOException {
      client.send("GET /api/v1/health HTTP/1.1\r\nHost: h\r\nConnection: " + value + "\r\n\r\n");
      assertThat(client.response().header("connection")).isEqualToIgnoringCase("close");
      assertThat(client.rest()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "Connection: Upgrade, HTTP2-Settings\r\n"
              + "Upgrade: h2c\r\n"
              + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n",
          "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n",
          "TE: trailers\r\n",
          "Connection: X-Who\r\n",
        })
    @DisplayName("that offer another protocol or trailers, and ignores the offer")
    void offers(String fields) throws IOException {
      client.send("GET /api/v1/what HTTP/1.1\r\nHost: h\r\n" + fields + "X-Who: me\r\n\r\n");
      var response = client.response();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("GET  me");
      assertThat(client.post("/api/v1/echo", "next").response().body()).isEqualTo("next");
    }

    @Test
    @DisplayName("whose stream has no trailers, even if the client accepts them")
    void noTrailers() throws Exception {
      client.send("GET /api/v1/stream HTTP/1.1\r\nHost: h\r\nTE: trailers\r\n\r\n");
      BlockingQueue<String> pieces = api.next().pieces();
      pieces.add("one");
      assertThat(client.head().headers()).doesNotContainKey("trailer");
      assertThat(client.chunk()).isEqualTo("one");
      pieces.add(FakeApi.END);
      assertThat(client.chunk()).isEmpty();
      assertThat(client.get("/api/v1/health").response().status()).isEqualTo(200);
    }
  }
}
