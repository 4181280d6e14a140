package io.strowger.providers.upstream;

/** Tells whether bytes are one JSON string, as strictly as a parser would. */
final class StringLiteral {
  private StringLiteral() {}

  /** True when the span is exactly one well-formed string literal in strictly valid UTF-8. */
  static boolean is(byte[] bytes, int start, int end) {
    int last = end - 1;
    if (last <= start || bytes[start] != '"' || bytes[last] != '"') {
      return false;
    }
    int i = start + 1;
    while (i < last) {
      byte b = bytes[i];
      int length;
      if (b >= 0x20 && b != '"' && b != '\\') {
        length = 1;
      } else if (b == '\\') {
        length = escape(bytes, i, last);
      } else {
        length = b < 0 ? character(bytes, i, last) : 0;
      }
      if (length == 0) {
        return false;
      }
      i += length;
    }
    return i == last;
  }

  /** Length of the escape that begins here; 0 when it is none. */
  private static int escape(byte[] bytes, int at, int end) {
    if (at + 1 >= end) {
      return 0;
    }
    return switch (bytes[at + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> 2;
      case 'u' -> hex(bytes, at + 2, Math.min(at + 6, end)) == 4 ? 6 : 0;
      default -> 0;
    };
  }

  private static int hex(byte[] bytes, int from, int to) {
    int count = 0;
    for (int i = from; i < to && Character.digit(bytes[i], 16) >= 0; i++) {
      count++;
    }
    return count;
  }

  /** Length of the character of several bytes that begins here; 0 when it is none. */
  private static int character(byte[] bytes, int at, int end) {
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
