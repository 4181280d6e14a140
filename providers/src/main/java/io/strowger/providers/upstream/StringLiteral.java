package io.strowger.providers.upstream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Checks whether bytes are one JSON string, as strictly as a parser would. */
final class StringLiteral {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long SPACES = 0x2020_2020_2020_2020L;
  private static final long QUOTES = 0x2222_2222_2222_2222L;
  private static final long BACKSLASHES = 0x5C5C_5C5C_5C5C_5C5CL;

  private StringLiteral() {}

  /** Returns whether the span is exactly one well-formed string literal in strictly valid UTF-8. */
  static boolean matches(byte[] bytes, int start, int end) {
    return end > start && bytes[end - 1] == '"' && end(bytes, start, end) == end;
  }

  /**
   * Returns the index after the string literal that begins here; -1 unless it is well-formed, in
   * strictly valid UTF-8, and complete before the limit.
   */
  static int end(byte[] bytes, int start, int limit) {
    if (start >= limit || bytes[start] != '"') {
      return -1;
    }
    int i = start + 1;
    while (i < limit) {
      if (i + Long.BYTES <= limit && isPlain((long) LONGS.get(bytes, i))) {
        i += Long.BYTES;
        continue;
      }
      if (bytes[i] == '"') {
        return i + 1;
      }
      int length = length(bytes, i, limit);
      if (length == 0) {
        return -1;
      }
      i += length;
    }
    return -1;
  }

  /**
   * Returns whether these are eight plain ASCII characters. May return false for such characters,
   * but never true for other bytes.
   */
  private static boolean isPlain(long word) {
    long quote = word ^ QUOTES;
    long backslash = word ^ BACKSLASHES;
    long low = (word - SPACES) & ~word;
    long special = (quote - ONES) & ~quote | (backslash - ONES) & ~backslash;
    return ((low | special | word) & HIGH_BITS) == 0;
  }

  /**
   * Returns the length, in bytes, of the character or escape at this index, which is not a quote; 0
   * when it is invalid.
   */
  private static int length(byte[] bytes, int at, int limit) {
    byte b = bytes[at];
    if (b == '\\') {
      return escapeLength(bytes, at, limit);
    }
    return b < 0 ? characterLength(bytes, at, limit) : b >= 0x20 ? 1 : 0;
  }

  /** Returns the length of the escape at this index; 0 when it is invalid. */
  private static int escapeLength(byte[] bytes, int at, int end) {
    if (at + 1 >= end) {
      return 0;
    }
    return switch (bytes[at + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> 2;
      case 'u' -> countHexDigits(bytes, at + 2, Math.min(at + 6, end)) == 4 ? 6 : 0;
      default -> 0;
    };
  }

  private static int countHexDigits(byte[] bytes, int from, int to) {
    int count = 0;
    for (int i = from; i < to && Character.digit(bytes[i], 16) >= 0; i++) {
      count++;
    }
    return count;
  }

  /** Returns the length of the multi-byte character at this index; 0 when it is invalid. */
  private static int characterLength(byte[] bytes, int at, int end) {
    int first = bytes[at] & 0xFF;
    int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0 || at + length > end) {
      return 0;
    }
    for (int i = 1; i < length; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    int second = bytes[at + 1] & 0xFF;
    boolean shortest = !(first == 0xE0 && second < 0xA0) && !(first == 0xF0 && second < 0x90);
    boolean inRange = !(first == 0xED && second > 0x9F) && !(first == 0xF4 && second > 0x8F);
    return shortest && inRange ? length : 0;
  }
}
