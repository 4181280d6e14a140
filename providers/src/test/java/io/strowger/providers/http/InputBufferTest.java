package io.strowger.providers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A buffer for bytes read from a connection")
class InputBufferTest {
  private final CharArrayBuffer line = new CharArrayBuffer(64);

  private static InputBuffer buffer(String content) {
    return new InputBuffer(
        new ByteArrayInputStream(content.getBytes(StandardCharsets.ISO_8859_1))::read, 1 << 10);
  }

  @Test
  @DisplayName("names the limit of a line that is too long")
  void longLine() throws IOException {
    InputBuffer longest = buffer("x".repeat((16 << 10) - 1) + "\n");
    assertThat(longest.readLine(line)).isEqualTo((16 << 10) - 1);
    line.clear();
    InputBuffer longer = buffer("x".repeat(16 << 10) + "\n");
    assertThatThrownBy(() -> longer.readLine(line))
        .isInstanceOf(MessageConstraintException.class)
        .hasMessage("a line of the answer exceeds 16384 bytes");
  }

  @Test
  @DisplayName("names the limit of a head that is too long")
  void longHead() throws IOException {
    InputBuffer buffer = buffer("1234\n1234\n1\n");
    buffer.boundLines(10);
    assertThat(buffer.readLine(line)).isEqualTo(4);
    assertThat(buffer.readLine(line)).isEqualTo(4);
    assertThatThrownBy(() -> buffer.readLine(line))
        .isInstanceOf(MessageConstraintException.class)
        .hasMessage("the head of the answer exceeds 10 bytes");
  }

  @Test
  @DisplayName("finds line feeds by their offset from the read position")
  void lineFeeds() throws IOException {
    InputBuffer buffer = buffer("a\nbc\nd\n");
    buffer.readLine(line);
    assertThat(buffer.findLineFeed(0)).isEqualTo(2);
    assertThat(buffer.findLineFeed(2)).isEqualTo(2);
    assertThat(buffer.findLineFeed(3)).isEqualTo(4);
    assertThat(buffer.findLineFeed(5)).isEqualTo(-1);
  }
}
