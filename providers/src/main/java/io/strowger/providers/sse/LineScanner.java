package io.strowger.providers.sse;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds line ends, eight bytes at a time, since events are long and have few lines. */
final class LineScanner {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long ABOVE_CR = 0x0E0E_0E0E_0E0E_0E0EL;

  private LineScanner() {}

  /** Returns the index of the next CR or LF; {@code to} when there is none. */
  static int end(byte[] bytes, int from, int to) {
    int i = from;
    while (i + Long.BYTES <= to) {
      long word = (long) LONGS.get(bytes, i);
      // sets the high bit of bytes below 0x0E; only the lowest such bit is reliable
      long low = (word - ABOVE_CR) & ~word & HIGH_BITS;
      if (low == 0) {
        i += Long.BYTES;
        continue;
      }
      i += Long.numberOfTrailingZeros(low) >> 3;
      if (isEnd(bytes[i])) {
        return i;
      }
      i++; // a tab or the like
    }
    while (i < to && !isEnd(bytes[i])) {
      i++;
    }
    return i;
  }

  private static boolean isEnd(byte b) {
    return b == '\n' || b == '\r';
  }
}
