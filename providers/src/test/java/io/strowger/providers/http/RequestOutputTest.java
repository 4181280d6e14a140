package io.strowger.providers.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A request")
class RequestOutputTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private static UpstreamAddress address() throws IOException {
    return UpstreamAddress.of(Transport.Method.POST, URI.create("http://host.test:81/v1"));
  }

  /** Records what was sent, one text for each call of {@code send}. */
  private static final class RecordingSink implements RequestOutput.Sink {
    private final List<String> texts = new ArrayList<>();
    private int maxParts;

    @Override
    public void send(ByteBuffer[] parts, int count) {
      var all = new ByteArrayOutputStream();
      for (int i = 0; i < count; i++) {
        byte[] bytes = new byte[parts[i].remaining()];
        parts[i].get(bytes);
        all.writeBytes(bytes);
      }
      maxParts = Math.max(maxParts, count);
      texts.add(all.toString(StandardCharsets.ISO_8859_1));
    }
  }

  /** Returns a body of pieces of these lengths; it refers to the longer ones without a copy. */
  private static JsonOutput body(int... pieces) {
    var body = JsonOutput.withByteReferences(16);
    for (int i = 0; i < pieces.length; i++) {
      body.bytes(
          Character.toString('a' + i % 26).repeat(pieces[i]).getBytes(StandardCharsets.UTF_8));
    }
    return body;
  }

  private static Transport.Request post(Map<String, String> headers, JsonOutput body) {
    return new Transport.Request(
        URI.create("http://host.test:81/v1"), headers, body, LONG, LONG, new Cancellation());
  }

  @Test
  @DisplayName("contains each header that the transport sets once, whatever the caller passes")
  void ownHeaders() throws IOException {
    var sent = new RecordingSink();
    var given = new LinkedHashMap<String, String>();
    for (String name :
        List.of("host", "CONTENT-LENGTH", "Transfer-encoding", "content-type", "Connection")) {
      given.put(name, "given");
    }
    given.put("X-A", "b");
    new RequestOutput(sent).sendRequest(address(), post(given, body(1)));
    assertThat(sent.texts.getFirst()).doesNotContain("given").contains("\r\nX-A: b\r\n");
  }

  @Test
  @DisplayName("is sent in one write with its content length, however long its body is")
  void oneWrite() throws IOException {
    for (int size : new int[] {0, 1, 500, 8_000, 8_192, 8_193, 33_000, 1 << 20}) {
      var sent = new RecordingSink();
      new RequestOutput(sent).sendRequest(address(), post(Map.of("X-A", "b"), body(3, size, 4)));
      assertThat(sent.texts).as("%d bytes", size).hasSize(1);
      assertThat(sent.texts.getFirst())
          .isEqualTo(
              "POST /v1 HTTP/1.1\r\nHost: host.test:81\r\nConnection: keep-alive\r\n"
                  + "Content-Type: application/json\r\nX-A: b\r\nContent-Length: "
                  + (size + 7)
                  + "\r\n\r\naaa"
                  + "b".repeat(size)
                  + "cccc");
      assertThat(sent.maxParts).isLessThanOrEqualTo(3);
    }
  }

  @Test
  @DisplayName("with very many pieces, or with a long head, is sent in few writes and in order")
  void manyPieces() throws IOException {
    int[] pieces = new Random(7).ints(200, 1, 9_000).toArray();
    JsonOutput body = body(pieces);
    String expected = new String(body.toByteArray(), StandardCharsets.UTF_8);
    for (int head : new int[] {1, 8_000, 20_000}) {
      var sent = new RecordingSink();
      new RequestOutput(sent).sendRequest(address(), post(Map.of("X-A", "b".repeat(head)), body));
      assertThat(String.join("", sent.texts))
          .startsWith("POST /v1 ")
          .contains("\r\nX-A: " + "b".repeat(head) + "\r\n")
          .endsWith("\r\n\r\n" + expected);
      assertThat(sent.texts.size()).isLessThan(60);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("arrives unchanged on a new and on a reused connection, with and without TLS")
  void arrives(boolean secured) throws IOException {
    TestAmbient ambient = TestAmbient.realTime();
    try (var upstream =
            RawUpstream.start(
                ambient,
                secured,
                connection -> {
                  while (true) {
                    String body = connection.readRequest();
                    connection.write(
                        "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
                  }
                });
        var transport =
            new ApacheTransport(ApacheTransport.Limits.DEFAULT, RawUpstream.loopbackTlsContext())) {
      for (int size : new int[] {0, 1, 9_000, 65_000, 66_000, 140_000, 3 << 20}) {
        for (int[] pieces : new int[][] {{size}, {1, size, 1}, {5_000, 9, size}, {size, 70_000}}) {
          JsonOutput body = body(pieces);
          var request =
              new Transport.Request(
                  upstream.baseUri(), Map.of(), body, LONG, LONG, new Cancellation());
          try (Transport.Response response = transport.send(request)) {
            assertThat(response.body().readAllBytes()).isEqualTo(body.toByteArray());
          }
        }
      }
      assertThat(upstream.connections()).isEqualTo(1);
    }
    ambient.assertNoThreadsLeft();
  }
}
