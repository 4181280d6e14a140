package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The host")
@Timeout(60)
class BrowserAndEncodingTest {
  private static final String PAGE = "https://app.example";

  private final FakeApi api = new FakeApi();
  private final LiveThreads threads = new LiveThreads();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private HttpHost host;

  @BeforeEach
  void start() throws IOException {
    host = host(List.of(PAGE, "http://localhost:3000"));
  }

  private HttpHost host(List<String> origins) throws IOException {
    return HttpHost.start(
        api,
        new HttpHost.Settings(
            "127.0.0.1",
            0,
            100_000,
            Duration.ofMillis(200),
            Duration.ZERO,
            Duration.ofSeconds(30),
            null,
            null,
            origins),
        threads);
  }

  @AfterEach
  void stop() throws InterruptedException {
    client.close();
    host.close();
    assertThat(threads.awaitEnd(Duration.ofSeconds(10))).isTrue();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(host.uri() + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("-");
  }

  @Nested
  @DisplayName("given a page of another origin")
  class Browser {
    private HttpRequest.Builder preflight(String path, String origin) {
      return to(path)
          .method("OPTIONS", BodyPublishers.noBody())
          .header("Origin", origin)
          .header("Access-Control-Request-Method", "POST")
          .header("Access-Control-Request-Headers", "authorization, content-type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/chat/completions", "/refuse", "/nowhere"})
    @DisplayName("answers its preflight without a credential and without calling the engine")
    void before(String path) {
      HttpResponse<String> answer = send(preflight(path, PAGE));
      assertThat(answer.statusCode()).isEqualTo(204);
      assertThat(answer.body()).isEmpty();
      assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo(PAGE);
      assertThat(header(answer, "Access-Control-Allow-Methods")).contains("POST", "DELETE");
      assertThat(header(answer, "Access-Control-Allow-Headers"))
          .isEqualTo("authorization, content-type");
      assertThat(header(answer, "Access-Control-Max-Age")).isEqualTo("600");
      assertThat(header(answer, "Vary")).startsWith("Origin");
      assertThat(api.served).isEmpty();
    }

    @Test
    @DisplayName(
        "allows nothing to an origin that is not configured, and never answers its preflight with"
            + " 401")
    void unnamed() {
      HttpResponse<String> answer = send(preflight("/refuse", "https://evil.example"));
      assertThat(answer.statusCode()).isEqualTo(204);
      assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("-");
      assertThat(header(answer, "Access-Control-Allow-Methods")).isEqualTo("-");
      HttpResponse<String> called = send(to("/what").header("Origin", "https://evil.example"));
      assertThat(header(called, "Access-Control-Allow-Origin")).isEqualTo("-");
      assertThat(header(called, "Vary")).isEqualTo("Origin");
    }

    @ParameterizedTest
    @CsvSource({"/what,200", "/refuse,401"})
    @DisplayName(
        "lets the page read answers to its requests and their headers, also those of errors")
    void answer(String path, int status) {
      HttpResponse<String> answer = send(to(path).header("Origin", "http://localhost:3000"));
      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("http://localhost:3000");
      assertThat(header(answer, "Access-Control-Expose-Headers")).contains("X-Generation-Id");
    }

    @Test
    @DisplayName("allows every origin if * is configured, and none if none is")
    void allOrNone() throws IOException {
      host.close();
      host = host(List.of("*"));
      assertThat(header(send(preflight("/x", "null")), "Access-Control-Allow-Origin"))
          .isEqualTo("*");
      host.close();
      host = host(List.of());
      HttpResponse<String> answer = send(preflight("/refuse", PAGE));
      assertThat(answer.statusCode()).isEqualTo(204);
      assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("-");
      assertThat(header(send(to("/what").header("Origin", PAGE)), "Vary")).isEqualTo("-");
    }

    @Test
    @DisplayName("passes an OPTIONS request that is no preflight to the engine")
    void options() {
      send(to("/what").method("OPTIONS", BodyPublishers.noBody()));
      assertThat(api.served).containsExactly("OPTIONS /what");
    }
  }

  @Nested
  @DisplayName("given an encoded body")
  class Encoded {
    private static final String TEXT = "{\"text\":\"" + "abc".repeat(1000) + "\"}";

    private byte[] gzip(byte[] plain) throws IOException {
      var out = new ByteArrayOutputStream();
      try (var gzip = new GZIPOutputStream(out)) {
        gzip.write(plain);
      }
      return out.toByteArray();
    }

    private byte[] encoded(String encoding, byte[] plain) throws IOException {
      return switch (encoding) {
        case "zstd" -> Zstd.compress(plain);
        case "identity" -> plain;
        default -> gzip(plain);
      };
    }

    private HttpRequest.Builder post(String encoding, HttpRequest.BodyPublisher body) {
      return to("/echo").header("Content-Encoding", encoding).POST(body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "x-gzip", "GZIP", "zstd", "identity"})
    @DisplayName("reads it in each encoding, with a length and in chunks, on one connection")
    void each(String encoding) throws IOException {
      byte[] body = encoded(encoding, TEXT.getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < 3; i++) {
        assertThat(send(post(encoding, BodyPublishers.ofByteArray(body))).body()).isEqualTo(TEXT);
        List<byte[]> pieces = new ArrayList<>();
        for (int at = 0; at < body.length; at += 7) {
          pieces.add(Arrays.copyOfRange(body, at, Math.min(body.length, at + 7)));
        }
        HttpResponse<String> chunked = send(post(encoding, BodyPublishers.ofByteArrays(pieces)));
        assertThat(chunked.body()).isEqualTo(TEXT);
        assertThat(header(chunked, "Connection")).isNotEqualTo("close");
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "deflate", "gzip, gzip", "compress", "x"})
    @DisplayName("refuses any other encoding with 415")
    void other(String encoding) {
      HttpResponse<String> answer = send(post(encoding, BodyPublishers.ofString("x")));
      assertThat(answer.statusCode()).isEqualTo(415);
      assertThat(answer.body()).contains("\"code\":415", "gzip, zstd or identity");
      assertThat(api.served).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    @DisplayName("gives the engine an error to read if it is malformed or truncated")
    void broken(String encoding) throws IOException {
      byte[] body = encoded(encoding, TEXT.getBytes(StandardCharsets.UTF_8));
      byte[] cut = Arrays.copyOf(body, body.length - 5);
      for (byte[] wrong : List.of("not it".getBytes(StandardCharsets.UTF_8), cut)) {
        assertThat(send(post(encoding, BodyPublishers.ofByteArray(wrong))).body())
            .isEqualTo("unreadable");
      }
      assertThat(api.readFailures).hasSize(2);
    }

    @Test
    @DisplayName("refuses a zstd frame that needs more memory than the standard recommends")
    void window() throws IOException {
      var out = new ByteArrayOutputStream();
      try (var zstd = new com.github.luben.zstd.ZstdOutputStream(out, 3)) {
        zstd.setLong(27);
        zstd.write(new byte[1 << 20]);
      }
      assertThat(send(post("zstd", BodyPublishers.ofByteArray(out.toByteArray()))).body())
          .isEqualTo("unreadable");
    }
  }
}
