package io.strowger.providers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A body in chunks")
class ChunkedBodyTest {
  private static final String THREE_CHUNKS =
      "5;name=\"v\"\r\nfirst\r\n"
          + "0A\r\n, another,\r\n"
          + "3 \r\nend\r\n"
          + "000;last\r\nX-Sum: 7\r\nX-More: 8\r\n\r\n";
  private static final String CONTENT = "first, another,end";

  /** A connection that gives one piece for each read and counts the reads. */
  private static final class Connection implements InputBuffer.Source {
    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private int reads;

    Connection(String... pieces) {
      for (String piece : pieces) {
        if (!piece.isEmpty()) {
          this.pieces.add(piece.getBytes(StandardCharsets.ISO_8859_1));
        }
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      reads++;
      byte[] piece = pieces.poll();
      if (piece == null) {
        return -1;
      }
      assertThat(piece.length).as("fits").isLessThanOrEqualTo(length);
      System.arraycopy(piece, 0, into, offset, piece.length);
      return piece.length;
    }

    InputBuffer buffer() {
      return new InputBuffer(this, 8 << 10);
    }
  }

  /** A body as an input stream. */
  private static final class BodyStream extends InputStream {
    private final ConnectionBody connectionBody;

    BodyStream(ConnectionBody connectionBody) {
      this.connectionBody = connectionBody;
    }

    @Override
    public int available() {
      return connectionBody.available();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return connectionBody.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return connectionBody.read(into, offset, length);
    }
  }

  private static ChunkedBody body(String... pieces) {
    return new ChunkedBody(new Connection(pieces).buffer());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  @DisplayName("is read correctly wherever the network splits it, however much is read at once")
  void everySplit() throws IOException {
    for (int cut = 0; cut <= THREE_CHUNKS.length(); cut++) {
      for (int size : new int[] {1, 2, 7, 100}) {
        var connection =
            new Connection(THREE_CHUNKS.substring(0, cut), THREE_CHUNKS.substring(cut), "next");
        InputBuffer buffer = connection.buffer();
        var body = new ChunkedBody(buffer);
        var content = new StringBuilder();
        byte[] some = new byte[size];
        for (int read = body.read(some, 0, size); read >= 0; read = body.read(some, 0, size)) {
          assertThat(read).isPositive();
          content.append(text(some), 0, read);
        }
        assertThat(content.toString()).as("cut at " + cut).isEqualTo(CONTENT);
        assertThat(body.isEnded()).isTrue();
        assertThat(body.available()).isZero();
        assertThat(buffer.length()).as("bytes read of what follows").isZero();
        assertThat(connection.pieces).hasSize(1);
      }
    }
  }

  @Test
  @DisplayName("is read correctly when it arrives byte by byte")
  void singly() throws IOException {
    assertThat(text(new BodyStream(body(THREE_CHUNKS.split(""))).readAllBytes()))
        .isEqualTo(CONTENT);
  }

  @Test
  @DisplayName("returns all chunks in one read if they arrived in one")
  void acrossChunks() throws IOException {
    var connection = new Connection(THREE_CHUNKS);
    var body = new ChunkedBody(connection.buffer());
    byte[] some = new byte[100];
    assertThat(body.read(some, 0, some.length)).isEqualTo(CONTENT.length());
    assertThat(body.read(some, 0, 1)).isEqualTo(-1);
    assertThat(connection.reads).isEqualTo(1);
  }

  @Test
  @DisplayName("reports as available exactly the bytes that can be read without waiting")
  void available() throws IOException {
    for (int cut = 0; cut <= THREE_CHUNKS.length(); cut++) {
      var connection = new Connection(THREE_CHUNKS.substring(0, cut), THREE_CHUNKS.substring(cut));
      var body = new BodyStream(new ChunkedBody(connection.buffer()));
      int content = 0;
      int before = -1;
      while (before != 0) {
        int reads = connection.reads;
        before = body.available();
        assertThat(connection.reads).as("available() must not read").isEqualTo(reads);
        for (int i = 0; i < before; i++) {
          assertThat(body.read()).isEqualTo(CONTENT.charAt(content++));
        }
        assertThat(connection.reads).as("available bytes need no further read").isEqualTo(reads);
        if (content == 0 && connection.reads == 0 && body.read() == CONTENT.charAt(0)) {
          content++;
          before = -1;
        }
      }
      String arrived = connection.pieces.isEmpty() ? CONTENT : contentBefore(cut);
      assertThat(CONTENT.substring(0, content)).as("cut at " + cut).isEqualTo(arrived);
    }
  }

  /** Returns the content of the three chunks before an offset. */
  private static String contentBefore(int cut) {
    var content = new StringBuilder();
    for (String chunk : List.of("first", ", another,", "end")) {
      int start = THREE_CHUNKS.indexOf(chunk);
      content.append(chunk, 0, Math.clamp(cut - start, 0, chunk.length()));
    }
    return content.toString();
  }

  @Test
  @DisplayName("fails at a malformed chunk once all before it was read, and at every later read")
  void malformedAhead() throws IOException {
    ChunkedBody chunks = body("2\r\nok\r\nnonsense\r\nmore\r\n");
    var body = new BodyStream(chunks);
    assertThat(text(body.readNBytes(2))).isEqualTo("ok");
    assertThat(body.available()).isZero();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(body::read).isInstanceOf(MalformedChunkCodingException.class);
    }
    assertThat(chunks.isEnded()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\r\n",
        " 2\r\nok",
        "-2\r\nok",
        "+2\r\nok",
        "0x2\r\nok",
        "2 2\r\nok",
        "g\r\nok",
        "2,\r\nok",
        "1234567890abcdef\r\nok",
        "ffffffffffffffffffffffff\r\nok",
        "\u00b2\r\nok",
        "\u0662\r\nok"
      })
  @DisplayName("rejects a chunk size that is not in plain hexadecimal digits")
  void sizes(String chunk) {
    assertThatThrownBy(() -> new BodyStream(body(chunk)).readAllBytes())
        .isInstanceOf(IOException.class);
    ChunkedBody second = body("1\r\na\r\n" + chunk);
    assertThatThrownBy(new BodyStream(second)::readAllBytes).isInstanceOf(IOException.class);
    assertThat(second.isEnded()).isFalse();
  }

  @Test
  @DisplayName("with a chunk of huge size is read as it arrives")
  void huge() throws IOException {
    var body = new BodyStream(body("7fffffffffffff\r\nsome"));
    assertThat(body.read()).isEqualTo('s');
    assertThat(body.available()).isEqualTo(3);
    assertThatThrownBy(body::readAllBytes).isInstanceOf(TruncatedChunkException.class);
  }

  @Test
  @DisplayName("that ends early is reported as truncated, wherever it ends")
  void cut() {
    int last = THREE_CHUNKS.indexOf("000");
    for (int cut = 0; cut < last; cut++) {
      ChunkedBody body = body(THREE_CHUNKS.substring(0, cut));
      assertThatThrownBy(new BodyStream(body)::readAllBytes)
          .as("cut at " + cut)
          .isInstanceOf(TruncatedChunkException.class);
      assertThat(body.isEnded()).isFalse();
    }
  }

  @Test
  @DisplayName("rejects an endless line, in a size, an extension or a trailer")
  void endless() {
    String[] more = new String[40];
    Arrays.fill(more, "x".repeat(8 << 10));
    for (String start : List.of("2;", "2\r\nok\r\n2;", "0\r\nX: ")) {
      var connection = new Connection(more);
      connection.pieces.addFirst(start.getBytes(StandardCharsets.ISO_8859_1));
      var body = new BodyStream(new ChunkedBody(connection.buffer()));
      assertThatThrownBy(body::readAllBytes)
          .isInstanceOf(MessageConstraintException.class)
          .hasMessage("a line of the answer exceeds 16384 bytes");
      assertThat(connection.reads).isLessThan(6);
    }
  }

  @Test
  @DisplayName("rejects too many trailers and malformed ones")
  void trailers() {
    String[] many = new String[200];
    Arrays.fill(many, "X-A: " + "b".repeat(90) + "\r\n");
    many[0] = "0\r\n";
    assertThatThrownBy(() -> new BodyStream(body(many)).readAllBytes())
        .isInstanceOf(MessageConstraintException.class)
        .hasMessage("the trailers of the answer exceed 8192 bytes");
    assertThatThrownBy(() -> new BodyStream(body("0\r\nno colon\r\n\r\n")).readAllBytes())
        .isInstanceOf(MalformedChunkCodingException.class);
  }

  @Test
  @DisplayName("with a chunk longer than its size is malformed")
  void longer() {
    assertThatThrownBy(() -> new BodyStream(body("2\r\nokay\r\n0\r\n\r\n")).readAllBytes())
        .isInstanceOf(MalformedChunkCodingException.class);
  }
}
