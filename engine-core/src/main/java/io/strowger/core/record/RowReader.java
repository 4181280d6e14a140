package io.strowger.core.record;

import org.jspecify.annotations.Nullable;

/** Reads what a {@link RowWriter} wrote and checks every value. Not thread-safe. */
final class RowReader {
  private final byte[] bytes;
  private int position;

  RowReader(byte[] bytes) {
    this.bytes = bytes;
  }

  private static UnreadableRowException damaged() {
    return new UnreadableRowException("the row is damaged");
  }

  int octet() {
    if (position == bytes.length) {
      throw damaged();
    }
    return bytes[position++] & 0xFF;
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

  int intNumber() {
    long value = number();
    if (value != (int) value) {
      throw damaged();
    }
    return (int) value;
  }

  /** Reads the number of items that follow, each of at least one byte. */
  int count() {
    long value = number();
    if (value < 0 || value > bytes.length - position) {
      throw damaged();
    }
    return (int) value;
  }

  /** Reads a text that must not be null. */
  String text() {
    String text = nullableText();
    if (text == null) {
      throw damaged();
    }
    return text;
  }

  @Nullable String nullableText() {
    return nullableText(null);
  }

  @Nullable String nullableText(@Nullable String expected) {
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
    long size = head - RowWriter.TEXT_LENGTH_OFFSET;
    if (size < 0 || size > bytes.length - position) {
      throw damaged();
    }
    return text(position + (int) size);
  }

  private String text(int end) {
    var text = new StringBuilder(end - position);
    while (position < end) {
      int leadByte = bytes[position++];
      if (leadByte >= 0) {
        text.append((char) leadByte);
      } else if ((leadByte & 0xE0) == 0xC0) {
        text.append((char) codePoint(leadByte & 0x1F, 1, end, 0x80));
      } else if ((leadByte & 0xF0) == 0xE0) {
        text.append((char) codePoint(leadByte & 0x0F, 2, end, 0x800));
      } else if ((leadByte & 0xF8) == 0xF0) {
        int codePoint = codePoint(leadByte & 0x07, 3, end, Character.MIN_SUPPLEMENTARY_CODE_POINT);
        if (codePoint > Character.MAX_CODE_POINT) {
          throw damaged();
        }
        text.appendCodePoint(codePoint);
      } else {
        throw damaged();
      }
    }
    return text.toString();
  }

  private int codePoint(int leadBits, int continuationBytes, int end, int minCodePoint) {
    int codePoint = leadBits;
    for (int i = 0; i < continuationBytes; i++) {
      if (position == end || (bytes[position] & 0xC0) != 0x80) {
        throw damaged();
      }
      codePoint = codePoint << 6 | bytes[position++] & 0x3F;
    }
    if (codePoint < minCodePoint) {
      throw damaged();
    }
    return codePoint;
  }

  void requireEnd() {
    if (position != bytes.length) {
      throw damaged();
    }
  }
}
