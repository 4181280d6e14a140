package io.strowger.providers.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A reader of server-sent events")
class SseReaderTest {
  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  static String data(SseReader reader) {
    return new String(
        reader.buffer(), reader.start(), reader.end() - reader.start(), StandardCharsets.UTF_8);
  }

  private static List<String> events(SseReader reader) throws IOException {
    var events = new ArrayList<String>();
    while (reader.next()) {
      events.add(reader.name() + "|" + data(reader));
    }
    return events;
  }

  private static List<String> events(String text) throws IOException {
    return events(new SseReader(stream(text)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  @DisplayName("accepts every kind of line end")
  void lineEnds(String end) throws IOException {
    String text = "data: a" + end + end + "event: e" + end + "data: b" + end + end;
    assertThat(events(text)).containsExactly("|a", "e|b");
  }

  @Test
  @DisplayName("drops at most one space before the data")
  void spaces() throws IOException {
    assertThat(events("data:a\n\ndata: b\n\ndata:  c\n\n")).containsExactly("|a", "|b", "| c");
  }

  @Test
  @DisplayName("joins several data lines by a line feed, even with a name or comment between them")
  void manyLines() throws IOException {
    assertThat(events("data: a\ndata\ndata:b\n\n")).containsExactly("|a\n\nb");
    assertThat(events("data: a\nevent: late\ndata: much longer than the name\n\n"))
        .containsExactly("late|a\nmuch longer than the name");
    assertThat(events("event: early\ndata: a\n: comment\ndata: b\nid: 7\n\n"))
        .containsExactly("early|a\nb");
  }

  @Proves("chat.answer.keep-alive")
  @Test
  @DisplayName("counts comments and passes none of them on")
  void comments() throws IOException {
    var reader = new SseReader(stream(": one\n\n:two\ndata: a\n\n:\n"));
    assertThat(events(reader)).containsExactly("|a");
    assertThat(reader.comments()).isEqualTo(3);
  }

  @Test
  @DisplayName("skips an event without data, its name included, and unknown fields")
  void noData() throws IOException {
    assertThat(events("event: lost\n\nretry: 5\nid: 1\nfoo: x\ndatax: y\ndata: a\n\n"))
        .containsExactly("|a");
    assertThat(events("data:\n\n")).containsExactly("|");
  }

  @Test
  @DisplayName("skips a byte order mark at the start, but nowhere else")
  void mark() throws IOException {
    assertThat(events("\uFEFFdata: a\n\ndata: \uFEFFb\n\n")).containsExactly("|a", "|\uFEFFb");
  }

  @Nested
  @DisplayName("at the end of the stream")
  class End {
    @Test
    @DisplayName("drops an event without its empty line, and reports the stream as truncated")
    void inside() throws IOException {
      for (String cut : List.of("data: b", "data: b\n", "dat", "event: x\ndata: b\r")) {
        var reader = new SseReader(stream("data: a\n\n" + cut));
        assertThat(events(reader)).as(cut).containsExactly("|a");
        assertThat(reader.isTruncated()).as(cut).isTrue();
      }
    }

    @Test
    @DisplayName("between two events does not report it as truncated")
    void between() throws IOException {
      for (String whole : List.of("", "data: a\n\n", "data: a\r\n\r\n", ": only\n")) {
        var reader = new SseReader(stream(whole));
        events(reader);
        assertThat(reader.isTruncated()).as(whole).isFalse();
        assertThat(reader.next()).isFalse();
      }
    }
  }

  @Nested
  @DisplayName("with a bound of 40 bytes")
  class Bound {
    private String event(int bytes) {
      return "data: " + "x".repeat(bytes - 7) + "\n"; // with its line end
    }

    @Test
    @DisplayName("accepts an event of 40 bytes, however many came before it")
    void within() throws IOException {
      for (int size : List.of(39, 40)) {
        String text = (event(size) + "\n").repeat(3);
        assertThat(events(new SseReader(stream(text), 40))).hasSize(3);
      }
    }

    @Test
    @DisplayName("rejects an event of 41 bytes, in one line or many, and a comment of 41")
    void over() {
      for (String text :
          List.of(
              event(41) + "\n",
              event(20) + event(21) + "\n",
              ": " + "x".repeat(40) + "\n",
              "data: " + "x".repeat(36))) {
        assertThatThrownBy(() -> events(new SseReader(stream(text), 40)))
            .as(text)
            .isInstanceOf(SseReader.EventTooLargeException.class)
            .hasMessageContaining("40");
      }
    }

    @Test
    @DisplayName("accepts any number of comments and of events without data")
    void unboundedStream() throws IOException {
      String text = (": " + "x".repeat(30) + "\n\nid: 1\n").repeat(5000) + "data: a\n\n";
      assertThat(events(new SseReader(stream(text), 40))).containsExactly("|a");
    }

    @Test
    @DisplayName("buffers no more than its bound and one read")
    void memory() {
      var endless =
          new InputStream() {
            private long readCount;

            @Override
            public int read() {
              readCount++;
              return 'x';
            }
          };
      var reader = new SseReader(endless, 1 << 20);
      assertThatThrownBy(reader::next).isInstanceOf(SseReader.EventTooLargeException.class);
      assertThat(endless.readCount).isLessThan((1 << 20) + (64 << 10));
      assertThat(reader.buffer().length).isLessThan((1 << 20) + (64 << 10));
    }
  }

  @Test
  @DisplayName("rejects a bound of zero")
  void noBound() {
    assertThatThrownBy(() -> new SseReader(stream(""), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("positive");
  }

  @Nested
  @DisplayName("is ready")
  class Ready {
    /** Returns a stream of these pieces; before an empty piece, available() is 0. */
    private InputStream pieces(String... pieces) {
      var left = new ArrayList<>(java.util.Arrays.asList(pieces));
      return new InputStream() {
        private InputStream current = stream("");

        @Override
        public int available() throws IOException {
          if (current.available() == 0 && !left.isEmpty() && !left.get(0).isEmpty()) {
            current = stream(left.remove(0));
          }
          return current.available();
        }

        @Override
        public int read() {
          throw new AssertionError("one byte at a time");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          if (available() == 0) {
            if (left.isEmpty()) {
              return -1;
            }
            left.remove(0); // a real stream would block here
            return read(into, offset, length);
          }
          return current.read(into, offset, length);
        }
      };
    }

    @Test
    @DisplayName("when a whole event is buffered, which the next read returns")
    void buffered() throws IOException {
      var reader = new SseReader(pieces("data: a\n\ndata: b\n\nda", "", "ta: c\n\n"));
      assertThat(reader.next()).isTrue();
      assertThat(data(reader)).isEqualTo("a");
      assertThat(reader.ready()).isTrue();
      assertThat(reader.ready()).isTrue();
      assertThat(reader.next()).isTrue();
      assertThat(data(reader)).isEqualTo("b");
      assertThat(reader.ready()).isFalse();
      assertThat(reader.ready()).isFalse();
      assertThat(reader.next()).isTrue();
      assertThat(data(reader)).isEqualTo("c");
      assertThat(reader.next()).isFalse();
      assertThat(reader.ready()).isTrue();
    }

    @Test
    @DisplayName("when the rest of an event can be read without waiting")
    void available() throws IOException {
      var reader = new SseReader(pieces("data: a\n", "data: b\n", "\n", "", "data: c\n\n"));
      assertThat(reader.ready()).isTrue();
      assertThat(reader.next()).isTrue();
      assertThat(data(reader)).isEqualTo("a\nb");
      assertThat(reader.ready()).isFalse();
    }

    @Test
    @DisplayName("when reading failed, so that the next read throws")
    void failed() throws IOException {
      var reader = new SseReader(pieces("data: a\n\n", "x".repeat(50)), 40);
      assertThat(reader.next()).isTrue();
      assertThat(reader.ready()).isTrue();
      assertThatThrownBy(reader::next).isInstanceOf(SseReader.EventTooLargeException.class);
    }
  }
}
