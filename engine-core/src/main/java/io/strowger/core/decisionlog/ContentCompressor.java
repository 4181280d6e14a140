package io.strowger.core.decisionlog;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Compresses content, optionally with a dictionary that both sides know. Uses raw deflate, since a
 * frame has its own checksum. Not thread-safe.
 */
final class ContentCompressor implements AutoCloseable {
  private static final int MAX_CONTENT = 1 << 28;
  private static final int MAX_INITIAL_BUFFER = 1 << 20;
  private static final byte[] NO_DICTIONARY = {};

  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private byte[] buffer = new byte[1 << 14];

  /** Compresses content without a dictionary. */
  byte[] compress(byte[] content) {
    return compress(content, NO_DICTIONARY);
  }

  byte[] compress(byte[] content, byte[] dictionary) {
    deflater.reset();
    if (dictionary.length > 0) {
      deflater.setDictionary(dictionary);
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

  static byte[] decompress(byte[] compressed, int offset) {
    return decompress(compressed, offset, NO_DICTIONARY);
  }

  /**
   * Decompresses the bytes from an index to the end.
   *
   * @throws IllegalArgumentException when the bytes are not compressed content, or when the content
   *     is too large
   */
  static byte[] decompress(byte[] compressed, int offset, byte[] dictionary) {
    var inflater = new Inflater(true);
    try {
      if (dictionary.length > 0) {
        inflater.setDictionary(dictionary);
      }
      inflater.setInput(compressed, offset, compressed.length - offset);
      byte[] content =
          new byte[Math.clamp((compressed.length - offset) * 8L, 64, MAX_INITIAL_BUFFER)];
      int size = 0;
      while (!inflater.finished()) {
        if (size == content.length) {
          content = Arrays.copyOf(content, grownSize(size));
        }
        int count = inflater.inflate(content, size, content.length - size);
        if (count == 0 && !inflater.finished()) {
          throw new IllegalArgumentException("is not valid compressed content");
        }
        size += count;
      }
      return Arrays.copyOf(content, size);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("is not valid compressed content", e);
    } finally {
      inflater.end();
    }
  }

  private static int grownSize(int size) {
    if (size >= MAX_CONTENT) {
      throw new IllegalArgumentException("is larger than any record when decompressed");
    }
    return size * 2;
  }
}
