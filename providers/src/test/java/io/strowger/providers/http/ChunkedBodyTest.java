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
  private static final String THREE =
      "5;name=\"v\"\r\nfirst\r\n"
          + "0A\r\n, another,\r\n"
          + "3 \r\nend\r\n"
          + "000;last\r\nX-Sum: 7\r\nX-More: 8\r\n\r\n";
  private static final String SAID = "first, another,end";

  /** A connection that gives one piece for each read, and says whether it was asked too often. */
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

  /** The bytes of a body, as many at a time as there are. */
  private static final class Reader extends InputStream {
    private final ConnectionBody connectionBody;

    Reader(ConnectionBody connectionBody) {
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
  @DisplayName("is the same wherever the network cuts it in two, however much is read at once")
  void everySplit() throws IOException {
    for (int cut = 0; cut <= THREE.length(); cut++) {
      for (int most : new int[] {1, 2, 7, 100}) {
        var connection = new Connection(THREE.substring(0, cut), THREE.substring(cut), "next");
        InputBuffer buffer = connection.buffer();
        var body = new ChunkedBody(buffer);
        var said = new StringBuilder();
        byte[] some = new byte[most];
        for (int read = body.read(some, 0, most); read >= 0; read = body.read(some, 0, most)) {
          assertThat(read).isPositive();
          said.append(text(some), 0, read);
        }
        assertThat(said.toString()).as("cut at " + cut).isEqualTo(SAID);
        assertThat(body.isEnded()).isTrue();
        assertThat(body.available()).isZero();
        assertThat(buffer.length()).as("nothing is taken of what follows").isZero();
        assertThat(connection.pieces).hasSize(1);
      }
    }
  }

  @Test
  @DisplayName("is the same when it comes byte by byte")
  void singly() throws IOException {
    assertThat(text(new Reader(body(THREE.split(""))).readAllBytes())).isEqualTo(SAID);
  }

  @Test
  @DisplayName("gives in one read what came in one, across chunks")
  void acrossChunks() throws IOException {
    var connection = new Connection(THREE);
    var body = new ChunkedBody(connection.buffer());
    byte[] some = new byte[100];
    assertThat(body.read(some, 0, some.length)).isEqualTo(SAID.length());
    assertThat(body.read(some, 0, 1)).isEqualTo(-1);
    assertThat(connection.reads).isEqualTo(1);
  }

  @Test
  @DisplayName("says that bytes are there exactly when they can be read without waiting")
  void available() throws IOException {
    for (int cut = 0; cut <= THREE.length(); cut++) {
      var connection = new Connection(THREE.substring(0, cut), THREE.substring(cut));
      var body = new Reader(new ChunkedBody(connection.buffer()));
      int said = 0;
      int before = -1;
      while (before != 0) {
        int reads = connection.reads;
        before = body.available();
        assertThat(connection.reads).as("looking reads nothing").isEqualTo(reads);
        for (int i = 0; i < before; i++) {
          assertThat(body.read()).isEqualTo(SAID.charAt(said++));
        }
        assertThat(connection.reads).as("nor is there a wait for what is there").isEqualTo(reads);
        if (said == 0 && connection.reads == 0 && body.read() == SAID.charAt(0)) {
          said++;
          before = -1;
        }
      }
      String come = connection.pieces.isEmpty() ? SAID : saidBefore(cut);
      assertThat(SAID.substring(0, said)).as("cut at " + cut).isEqualTo(come);
    }
  }

  /** What of the three chunks has come whole, or in part, before a place. */
  private static String saidBefore(int cut) {
    var said = new StringBuilder();
    for (String chunk : List.of("first", ", another,", "end")) {
      int start = THREE.indexOf(chunk);
      said.append(chunk, 0, Math.clamp(cut - start, 0, chunk.length()));
    }
    return said.toString();
  }

  @Test
  @DisplayName("tells of what is malformed once all before it was read, and again when asked again")
  void malformedAhead() throws IOException {
    ChunkedBody chunks = body("2\r\nok\r\nnonsense\r\nmore\r\n");
    var body = new Reader(chunks);
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
  @DisplayName("has no size but one in plain digits")
  void sizes(String chunk) {
    assertThatThrownBy(() -> new Reader(body(chunk)).readAllBytes())
        .isInstanceOf(IOException.class);
    ChunkedBody second = body("1\r\na\r\n" + chunk);
    assertThatThrownBy(new Reader(second)::readAllBytes).isInstanceOf(IOException.class);
    assertThat(second.isEnded()).isFalse();
  }

  @Test
  @DisplayName("of a huge size is read as it comes")
  void huge() throws IOException {
    var body = new Reader(body("7fffffffffffff\r\nsome"));
    assertThat(body.read()).isEqualTo('s');
    assertThat(body.available()).isEqualTo(3);
    assertThatThrownBy(body::readAllBytes).isInstanceOf(TruncatedChunkException.class);
  }

  @Test
  @DisplayName("that ends early is cut, wherever that is")
  void cut() {
    int last = THREE.indexOf("000");
    for (int cut = 0; cut < last; cut++) {
      ChunkedBody body = body(THREE.substring(0, cut));
      assertThatThrownBy(new Reader(body)::readAllBytes)
          .as("cut at " + cut)
          .isInstanceOf(TruncatedChunkException.class);
      assertThat(body.isEnded()).isFalse();
    }
  }

  @Test
  @DisplayName("has no line without an end: no size, no extension, no trailer")
  void endless() {
    String[] more = new String[40];
    Arrays.fill(more, "x".repeat(8 << 10));
    for (String start : List.of("2;", "2\r\nok\r\n2;", "0\r\nX: ")) {
      var connection = new Connection(more);
      connection.pieces.addFirst(start.getBytes(StandardCharsets.ISO_8859_1));
      var body = new Reader(new ChunkedBody(connection.buffer()));
      assertThatThrownBy(body::readAllBytes).isInstanceOf(MessageConstraintException.class);
      assertThat(connection.reads).isLessThan(6);
    }
  }

  @Test
  @DisplayName("has few trailers")
  void trailers() {
    String[] many = new String[200];
    Arrays.fill(many, "X-A: " + "b".repeat(90) + "\r\n");
    many[0] = "0\r\n";
    assertThatThrownBy(() -> new Reader(body(many)).readAllBytes())
        .isInstanceOf(MessageConstraintException.class);
    assertThatThrownBy(() -> new Reader(body("0\r\nno colon\r\n\r\n")).readAllBytes())
        .isInstanceOf(MalformedChunkCodingException.class);
  }

  @Test
  @DisplayName("that is longer than its size is malformed")
  void longer() {
    assertThatThrownBy(() -> new Reader(body("2\r\nokay\r\n0\r\n\r\n")).readAllBytes())
        .isInstanceOf(MalformedChunkCodingException.class);
  }
}
