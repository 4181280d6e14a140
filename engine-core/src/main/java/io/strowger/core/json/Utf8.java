package io.strowger.core.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Checks that bytes are UTF-8 as the standard defines it: no overlong form, no surrogate, nothing
 * above U+10FFFF. A lenient reader would let a document mean one thing here and another to an
 * upstream.
 */
final class Utf8 {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  /** Returns the offset of the first invalid byte; -1 when there is none. */
  static int firstFault(byte[] bytes) {
    int i = 0;
    while (true) {
      i = skipAscii(bytes, i);
      if (i == bytes.length) {
        return -1;
      }
      int length = sequenceLength(bytes, i);
      if (length == 0) {
        return i;
      }
      i += length;
    }
  }

  private static int skipAscii(byte[] bytes, int from) {
    int i = from;
    int lastLong = bytes.length - Long.BYTES;
    while (i <= lastLong && ((long) LONGS.get(bytes, i) & HIGH_BITS) == 0) {
      i += Long.BYTES;
    }
    while (i < bytes.length && bytes[i] >= 0) {
      i++;
    }
    return i;
  }

  /** Returns the length of the multi-byte sequence that begins here; 0 when it is invalid. */
  private static int sequenceLength(byte[] bytes, int at) {
    int lead = bytes[at] & 0xFF;
    if (lead < 0xC2 || lead > 0xF4) {
      return 0;
    }
    int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (at + length > bytes.length || !secondFits(lead, bytes[at + 1] & 0xFF)) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  private static boolean secondFits(int lead, int second) {
    return switch (lead) {
      case 0xE0 -> second >= 0xA0 && second <= 0xBF; // shorter forms exist
      case 0xED -> second >= 0x80 && second <= 0x9F; // surrogates
      case 0xF0 -> second >= 0x90 && second <= 0xBF; // shorter forms exist
      case 0xF4 -> second >= 0x80 && second <= 0x8F; // above U+10FFFF
      default -> (second & 0xC0) == 0x80;
    };
  }
}
