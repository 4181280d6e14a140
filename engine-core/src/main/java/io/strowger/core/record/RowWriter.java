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
  static final int TEXT = 2;

  private static final int TYPICAL = 240;
  private static final int LONGEST_NUMBER = 10;
  private static final int LONGEST_CHAR = 3;

  private byte[] bytes = new byte[TYPICAL];
  private int length;

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
    }
  }

  void octet(int value) {
    room(1);
    bytes[length++] = (byte) value;
  }

  /** Writes a number, in few bytes when it is small; a negative one takes ten bytes. */
  void number(long value) {
    room(LONGEST_NUMBER);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
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
      written(value);
    }
  }

  /**
   * Writes a text in UTF-8. A surrogate without a partner, which JSON can express but UTF-8 cannot,
   * is written as three bytes, as any other character of its range.
   */
  private void written(String value) {
    int chars = value.length();
    number((long) size(value) + TEXT);
    room(Math.multiplyExact(LONGEST_CHAR, chars));
    for (int i = 0; i < chars; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        bytes[length++] = (byte) c;
      } else if (c < 0x800) {
        bytes[length++] = (byte) (0xC0 | c >> 6);
        bytes[length++] = (byte) (0x80 | c & 0x3F);
      } else if (isPair(value, i)) {
        int point = Character.toCodePoint(c, value.charAt(++i));
        bytes[length++] = (byte) (0xF0 | point >> 18);
        bytes[length++] = (byte) (0x80 | point >> 12 & 0x3F);
        bytes[length++] = (byte) (0x80 | point >> 6 & 0x3F);
        bytes[length++] = (byte) (0x80 | point & 0x3F);
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
