package io.strowger.providers.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The index of the UTF-16 chars of a text")
class CharIndexTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abc",
        "Größe: zwei.",
        "€ and \uD83D\uDE00\uD83D\uDE00 and é",
        "one half: \uD83D of a pair",
        "日本語"
      })
  @DisplayName("converts every byte position of any text into the number of chars before it")
  void everyPosition(String piece) {
    for (int repeats : new int[] {1, 20, 50}) {
      String text = piece.repeat(repeats);
      var index = new GroundingReader.CharIndex(text);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      for (int i = -1; i <= bytes.length + 1; i++) {
        assertThat(index.ofByte(i)).as("byte %d of %s", i, text).isEqualTo(decoded(bytes, i));
      }
    }
  }

  /** Returns the expected index, by decoding everything before the position. */
  private static int decoded(byte[] bytes, int position) {
    int end = Math.clamp(position, 0, bytes.length);
    while (end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8).length();
  }
}
