package io.strowger.core.record;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes values in a compact form, one after the other. Not thread-safe. */
final class RowWriter {
  /** Written instead of a text that is null. */
  static final int ABSENT = 0;

  /** Written instead of a text that equals the expected one. */
  static final int EXPECTED = 1;

  /** Added to the length of a text, which is written before the text. */
  static final int TEXT_LENGTH_OFFSET = 2;

  private static final int INITIAL_CAPACITY = 240;
  private static final int MAX_NUMBER_BYTES = 10;
  private static final int MAX_CHAR_BYTES = 3;

  private byte[] bytes = new byte[INITIAL_CAPACITY];
  private int length;

  private void ensureRoom(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
    }
  }

  void octet(int value) {
    ensureRoom(1);
    bytes[length++] = (byte) value;
  }

  /** Writes a number, in few bytes when it is small; a negative one takes ten bytes. */
  void number(long value) {
    ensureRoom(MAX_NUMBER_BYTES);
    long remainingBits = value;
    while ((remainingBits & ~0x7FL) != 0) {
      bytes[length++] = (byte) (remainingBits | 0x80);
      remainingBits >>>= 7;
    }
    bytes[length++] = (byte) remainingBits;
  }

  void text(@Nullable String value) {
    text(value, null);
  }

  /**
   * Writes a text, in one byte when it is null or equals the expected one.
   *
   * @param expected the expected text; null for none
   */
  void text(@Nullable String value, @Nullable String expected) {
    if (value == null) {
      octet(ABSENT);
    } else if (value.equals(expected)) {
      octet(EXPECTED);
    } else {
      writeUtf8(value);
    }
  }

  /**
   * Writes a text in UTF-8. A surrogate without a partner, which JSON can express but UTF-8 cannot,
   * is written as three bytes, as any other character of its range.
   */
  private void writeUtf8(String value) {
    int chars = value.length();
    number((long) size(value) + TEXT_LENGTH_OFFSET);
    ensureRoom(Math.multiplyExact(MAX_CHAR_BYTES, chars));
    for (int i = 0; i < chars; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        bytes[length++] = (byte) c;
      } else if (c < 0x800) {
        bytes[length++] = (byte) (0xC0 | c >> 6);
        bytes[length++] = (byte) (0x80 | c & 0x3F);
      } else if (isPair(value, i)) {
        int codePoint = Character.toCodePoint(c, value.charAt(++i));
        bytes[length++] = (byte) (0xF0 | codePoint >> 18);
        bytes[length++] = (byte) (0x80 | codePoint >> 12 & 0x3F);
        bytes[length++] = (byte) (0x80 | codePoint >> 6 & 0x3F);
        bytes[length++] = (byte) (0x80 | codePoint & 0x3F);
      } else {
        bytes[length++] = (byte) (0xE0 | c >> 12);
        bytes[length++] = (byte) (0x80 | c >> 6 & 0x3F);
        bytes[length++] = (byte) (0x80 | c & 0x3F);
      }
    }
  }

  private static int size(String value) {
    int size = value.length();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c >= 0x80) {
        if (c < 0x800) {
          size++;
        } else {
          size += 2;
          i += isPair(value, i) ? 1 : 0; // two characters, four bytes
        }
      }
    }
    return size;
  }

  private static boolean isPair(String value, int at) {
    return Character.isHighSurrogate(value.charAt(at))
        && at + 1 < value.length()
        && Character.isLowSurrogate(value.charAt(at + 1));
  }

  byte[] bytes() {
    return Arrays.copyOf(bytes, length);
  }
}
