package io.strowger.core.decisionlog;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Compresses content, optionally with a dictionary that both sides know. Uses raw deflate, since a
 * frame has its own checksum. Not thread-safe.
 */
final class Packing implements AutoCloseable {
  private static final int MAX_UNPACKED = 1 << 28;
  private static final int MAX_AT_FIRST = 1 << 20;
  private static final byte[] NOTHING_KNOWN = {};

  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private byte[] buffer = new byte[1 << 14];

  /** Compresses content without a dictionary. */
  byte[] pack(byte[] content) {
    return pack(content, NOTHING_KNOWN);
  }

  byte[] pack(byte[] content, byte[] known) {
    deflater.reset();
    if (known.length > 0) {
      deflater.setDictionary(known);
    }
    deflater.setInput(content);
    deflater.finish();
    int size = 0;
    while (!deflater.finished()) {
      if (size == buffer.length) {
        buffer = Arrays.copyOf(buffer, size * 2);
      }
      size += deflater.deflate(buffer, size, buffer.length - size);
    }
    return Arrays.copyOf(buffer, size);
  }

  @Override
  public void close() {
    deflater.end();
  }

  static byte[] unpack(byte[] packed, int from) {
    return unpack(packed, from, NOTHING_KNOWN);
  }

  /**
   * Decompresses the bytes from an index to the end.
   *
   * @throws IllegalArgumentException when the bytes are not packed content or would be too large
   */
  static byte[] unpack(byte[] packed, int from, byte[] known) {
    var inflater = new Inflater(true);
    try {
      if (known.length > 0) {
        inflater.setDictionary(known);
      }
      inflater.setInput(packed, from, packed.length - from);
      byte[] content = new byte[Math.clamp((packed.length - from) * 8L, 64, MAX_AT_FIRST)];
      int size = 0;
      while (!inflater.finished()) {
        if (size == content.length) {
          content = Arrays.copyOf(content, larger(size));
        }
        int more = inflater.inflate(content, size, content.length - size);
        if (more == 0 && !inflater.finished()) {
          throw new IllegalArgumentException("is not packed as it should be");
        }
        size += more;
      }
      return Arrays.copyOf(content, size);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("is not packed as it should be", e);
    } finally {
      inflater.end();
    }
  }

  private static int larger(int size) {
    if (size >= MAX_UNPACKED) {
      throw new IllegalArgumentException("is larger unpacked than any record");
    }
    return size * 2;
  }
}
