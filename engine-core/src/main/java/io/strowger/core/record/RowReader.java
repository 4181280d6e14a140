package io.strowger.core.record;

import org.jspecify.annotations.Nullable;

/** Reads what a {@link RowWriter} wrote and checks every value. Not thread-safe. */
final class RowReader {
  private final byte[] bytes;
  private int at;

  RowReader(byte[] bytes) {
    this.bytes = bytes;
  }

  private static UnreadableRowException damaged() {
    return new UnreadableRowException("the row is damaged");
  }

  int octet() {
    if (at == bytes.length) {
      throw damaged();
    }
    return bytes[at++] & 0xFF;
  }

  /** Reads an octet that must be less than a bound. */
  int octet(int bound) {
    int value = octet();
    if (value >= bound) {
      throw damaged();
    }
    return value;
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int octet = octet();
      value |= (octet & 0x7FL) << shift;
      if (octet < 0x80) {
        return value;
      }
    }
    throw damaged();
  }

  int number32() {
    long value = number();
    if (value != (int) value) {
      throw damaged();
    }
    return (int) value;
  }

  /** Reads the number of items that follow, each of at least one byte. */
  int count() {
    long value = number();
    if (value < 0 || value > bytes.length - at) {
      throw damaged();
    }
    return (int) value;
  }

  /** Reads a text that must not be null. */
  String text() {
    String text = maybe();
    if (text == null) {
      throw damaged();
    }
    return text;
  }

  @Nullable String maybe() {
    return maybe(null);
  }

  @Nullable String maybe(@Nullable String expected) {
    long head = number();
    if (head == RowWriter.ABSENT) {
      return null;
    }
    if (head == RowWriter.EXPECTED) {
      if (expected == null) {
        throw damaged();
      }
      return expected;
    }
    long size = head - RowWriter.TEXT;
    if (size < 0 || size > bytes.length - at) {
      throw damaged();
    }
    return text(at + (int) size);
  }

  private String text(int end) {
    var text = new StringBuilder(end - at);
    while (at < end) {
      int first = bytes[at++];
      if (first >= 0) {
        text.append((char) first);
      } else if ((first & 0xE0) == 0xC0) {
        text.append((char) point(first & 0x1F, 1, end, 0x80));
      } else if ((first & 0xF0) == 0xE0) {
        text.append((char) point(first & 0x0F, 2, end, 0x800));
      } else if ((first & 0xF8) == 0xF0) {
        int point = point(first & 0x07, 3, end, Character.MIN_SUPPLEMENTARY_CODE_POINT);
        if (point > Character.MAX_CODE_POINT) {
          throw damaged();
        }
        text.appendCodePoint(point);
      } else {
        throw damaged();
      }
    }
    return text.toString();
  }

  private int point(int begun, int more, int end, int least) {
    int point = begun;
    for (int i = 0; i < more; i++) {
      if (at == end || (bytes[at] & 0xC0) != 0x80) {
        throw damaged();
      }
      point = point << 6 | bytes[at++] & 0x3F;
    }
    if (point < least) {
      throw damaged();
    }
    return point;
  }

  void end() {
    if (at != bytes.length) {
      throw damaged();
    }
  }
}
