package io.strowger.providers.gemini;

import java.nio.charset.StandardCharsets;

/**
 * Converts positions in the UTF-8 form of a text to positions in its chars. Reads the text once, so
 * that each conversion takes constant time, however many an upstream asks for.
 */
final class CharIndex {
  /** The bytes between two positions that are stored. */
  private static final int STEP = 64;

  private final byte[] bytes;
  private final int[] charsBefore; // for each step, the chars that begin in the bytes before it

  CharIndex(String text) {
    bytes = text.getBytes(StandardCharsets.UTF_8);
    charsBefore = new int[bytes.length / STEP + 1];
    for (int step = 1; step < charsBefore.length; step++) {
      charsBefore[step] = charsBefore[step - 1] + charCount((step - 1) * STEP, step * STEP);
    }
  }

  /**
   * Returns the index of the char that begins at or after a byte.
   *
   * @param byteIndex the index of the byte; outside the text, that of its nearest end
   */
  int ofByte(long byteIndex) {
    int end = Math.clamp(byteIndex, 0, bytes.length);
    while (end < bytes.length && isContinuation(bytes[end])) {
      end++;
    }
    int step = end / STEP;
    return charsBefore[step] + charCount(step * STEP, end);
  }

  /** Returns how many chars begin in a range of bytes; a code point of four bytes is two chars. */
  private int charCount(int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      if (!isContinuation(bytes[i])) {
        count += (bytes[i] & 0xF8) == 0xF0 ? 2 : 1;
      }
    }
    return count;
  }

  private static boolean isContinuation(byte value) {
    return (value & 0xC0) == 0x80;
  }
}
