package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.ambient.Ambient;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A gateway that gets an encoded request")
@Timeout(60)
class EncodedRequestTest {
  private static final int LIMIT = 100_000;
  private static final String REQUEST =
      """
      {"model":"a/m","messages":[{"role":"user","content":"hello"}]}\
      """;

  private final Ambient ambient = TestAmbient.realTime();
  private final HttpClient http = HttpClient.newHttpClient();
  private RunningGateway running;
  private HttpHost host;

  @BeforeEach
  void start() throws IOException {
    running = RunningGateway.open(config(), ambient);
    host =
        HttpHost.start(
            running.api(by -> new ReloadResult.Unreadable()),
            new HttpHost.Settings("127.0.0.1", 0, 10 * LIMIT, Duration.ZERO),
            ambient);
  }

  @AfterEach
  void stop() {
    http.close();
    host.close();
    running.close();
  }

  private static GatewayConfig config() {
    String file =
        """
        { 'server': { 'max_request_bytes': %d },
          'providers': [ { 'slug': 'a', 'protocol': 'simulated', 'base_url': 'http://a.test' } ],
          'models': [ { 'id': 'a/m', 'endpoints': [ { 'provider': 'a' } ] } ],
          'keys': [ { 'name': 'caller', 'key': 'sk-caller' } ] }
        """
            .formatted(LIMIT)
            .replace('\'', '"');
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(file.getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  private static byte[] encode(String encoding, String text) throws IOException {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    if (encoding.equals("zstd")) {
      return Zstd.compress(plain);
    }
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  private int status(String encoding, String path, byte[] body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(host.uri() + path))
            .header("Authorization", "Bearer sk-caller")
            .header("Content-Type", "application/json")
            .header("Content-Encoding", encoding)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  @ParameterizedTest
  @CsvSource({
    "gzip, /chat/completions",
    "zstd, /chat/completions",
    "gzip, /messages",
    "zstd, /responses"
  })
  @DisplayName("refuses it with 413 if it is larger than the limit when decoded")
  void bomb(String encoding, String path) throws Exception {
    byte[] bomb = encode(encoding, REQUEST + " ".repeat(20_000_000));
    assertThat(bomb.length).as("as sent").isLessThan(LIMIT);
    assertThat(status(encoding, path, bomb)).isEqualTo(413);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  @DisplayName(
      "serves it up to the limit, and refuses it with 400 if it is truncated or continues after"
          + " its end")
  void whole(String encoding) throws Exception {
    String path = "/chat/completions";
    String full = REQUEST + " ".repeat(LIMIT - REQUEST.length());
    byte[] body = encode(encoding, full);
    assertThat(status(encoding, path, body)).isEqualTo(200);
    assertThat(status(encoding, path, encode(encoding, full + " "))).isEqualTo(413);
    assertThat(status(encoding, path, Arrays.copyOf(body, body.length - 3))).isEqualTo(400);
    assertThat(status(encoding, path, Arrays.copyOf(body, body.length + 3))).isEqualTo(400);
    assertThat(status(encoding, path, new byte[0]))
        .as("the same as an empty body")
        .isEqualTo(status("identity", path, new byte[0]));
  }
}
