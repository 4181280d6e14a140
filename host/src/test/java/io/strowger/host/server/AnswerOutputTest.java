package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.AnswerOutput.Framing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An answer")
class AnswerOutputTest {
  private final FakeSocket client = new FakeSocket();
  private final ConnectionOutput connection = new ConnectionOutput(client, Thread.currentThread());

  private AnswerOutput answer(Framing framing, long length) {
    return answer(framing, length, Map.of("Content-Type", "text/plain"));
  }

  private AnswerOutput answer(Framing framing, long length, Map<String, String> headers) {
    var response = new WireResponse(200, headers, WireBody.of(new byte[0]));
    return new AnswerOutput(response, framing, length, Map.of(), false, connection);
  }

  private String head() {
    String text = client.text();
    return text.substring(0, text.indexOf("\r\n\r\n") + 2);
  }

  private byte[] body() {
    byte[] all = client.received();
    int from = head().length() + 2;
    return java.util.Arrays.copyOfRange(all, from, all.length);
  }

  private String bodyText() {
    return new String(body(), StandardCharsets.ISO_8859_1);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  @DisplayName("of known length is sent in one write, head and body together")
  void oneWrite() throws IOException {
    try (var out = answer(Framing.CONTENT_LENGTH, 1000)) {
      out.write(random(1000));
    }
    assertThat(client.writes()).hasSize(1);
    assertThat(head())
        .startsWith("HTTP/1.1 200 OK\r\nDate: ")
        .contains("\r\nContent-Type: text/plain\r\n", "\r\nContent-Length: 1000\r\n")
        .doesNotContain("Connection", "Transfer-Encoding");
    assertThat(body()).isEqualTo(random(1000));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16_384, 16_385, 65_536, 65_537, 1_000_000})
  @DisplayName("of any size is sent completely, also to a client that accepts few bytes at a time")
  void anySize(int length) throws IOException {
    client.limitWrites(1_000);
    try (var out = answer(Framing.CONTENT_LENGTH, length)) {
      out.write(random(length));
    }
    assertThat(body()).isEqualTo(random(length));
    assertThat(connection.bytesWritten()).isEqualTo(client.received().length);
    assertThat(connection.currentWrite()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 255, 256, 4_095, 4_096, 16_383, 16_384, 16_385, 100_000})
  @DisplayName("of unknown length is cut into chunks of at most 16 KiB")
  void chunks(int length) throws IOException {
    try (var out = answer(Framing.CHUNKED, -1)) {
      out.write(random(length));
    }
    assertThat(head()).contains("\r\nTransfer-Encoding: chunked\r\n").doesNotContain("Length");
    assertThat(unchunked()).isEqualTo(random(length));
    assertThat(client.writes()).hasSize(Math.max(1, Math.ceilDiv(length, 16_384)));
  }

  private byte[] unchunked() throws IOException {
    var requests =
        new RequestFraming(
            ConnectionReaderTest.reader(
                FakeSocket.sending(
                    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + bodyText())),
            new PendingConnections(Long.MAX_VALUE),
            PendingConnections.PLAIN_COST,
            Long.MAX_VALUE);
    requests.nextHead();
    var bytes = new java.io.ByteArrayOutputStream();
    byte[] piece = new byte[1000];
    for (int count = requests.read(piece, 0, 1000); count >= 0; ) {
      bytes.write(piece, 0, count);
      count = requests.read(piece, 0, 1000);
    }
    return bytes.toByteArray();
  }

  @Test
  @DisplayName(
      "that is streamed is sent in one write for each flush, and its end with the last piece")
  void flushes() throws IOException {
    try (var out = answer(Framing.CHUNKED, -1)) {
      out.write("one".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      assertThat(bodyText()).isEqualTo("3\r\none\r\n");
      out.flush(); // writes nothing
      out.write("two".getBytes(StandardCharsets.US_ASCII));
      out.write("three".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      assertThat(bodyText()).isEqualTo("3\r\none\r\n8\r\ntwothree\r\n");
      out.write("end".getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(bodyText()).isEqualTo("3\r\none\r\n8\r\ntwothree\r\n3\r\nend\r\n0\r\n\r\n");
    assertThat(client.writes()).hasSize(3);
  }

  @Test
  @DisplayName("that is streamed can begin with its head alone, and be empty")
  void empty() throws IOException {
    try (var out = answer(Framing.CHUNKED, -1)) {
      out.flush();
      assertThat(bodyText()).isEmpty();
    }
    assertThat(bodyText()).isEqualTo("0\r\n\r\n");
  }

  @Test
  @DisplayName("for a client that cannot read chunks ends with the connection")
  void unframed() throws IOException {
    try (var out = answer(Framing.UNTIL_CLOSE, -1)) {
      out.write("one".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      out.write("two".getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(head()).doesNotContain("Transfer-Encoding", "Content-Length");
    assertThat(bodyText()).isEqualTo("onetwo");
  }

  @Test
  @DisplayName("to HEAD has the length and no body")
  void headAlone() throws IOException {
    try (var out = answer(Framing.HEAD_ONLY, 7)) {
      out.write(random(7));
    }
    assertThat(head()).contains("\r\nContent-Length: 7\r\n");
    assertThat(body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 8})
  @DisplayName("whose length differs from its Content-Length fails")
  void wrongLength(int length) {
    assertThatThrownBy(
            () -> {
              try (var out = answer(Framing.CONTENT_LENGTH, 7)) {
                out.write(random(length));
              }
            })
        .isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nb", "a\nb", "a\rb", "a\0b"})
  @DisplayName("is not sent with a header that contains a line break or a NUL")
  void splitting(String value) {
    assertThatThrownBy(() -> answer(Framing.CONTENT_LENGTH, 0, Map.of("X-A", value)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> answer(Framing.CONTENT_LENGTH, 0, Map.of("X" + value, "b")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(client.writes()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Framing.class,
      names = {"CONTENT_LENGTH", "CHUNKED"})
  @DisplayName("may have a large head")
  void largeHead(Framing framing) throws IOException {
    String value = "x".repeat(5_000);
    try (var out =
        answer(framing, framing == Framing.CONTENT_LENGTH ? 3 : -1, Map.of("X-A", value))) {
      out.write("abc".getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(head()).contains("\r\nX-A: " + value + "\r\n");
    assertThat(bodyText())
        .isEqualTo(framing == Framing.CONTENT_LENGTH ? "abc" : "3\r\nabc\r\n0\r\n\r\n");
  }
}
