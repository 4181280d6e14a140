package io.strowger.providers.http;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.io.HttpTransportMetrics;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * A buffer for bytes read from a connection. Replaces the library's buffer, whose content cannot be
 * inspected: the chunk reader must see whether the next chunk has arrived already. Bounds each
 * line, and all lines of a head together.
 *
 * <p>The streams passed to the library's methods are ignored: a buffer has one source.
 */
final class InputBuffer implements SessionInputBuffer {
  /** The maximum length of a head line, chunk size or trailer. */
  private static final int MAX_LINE_BYTES = 16 << 10;

  private final Source source;
  private final byte[] bytes;
  private int next;
  private int end;
  private long maxLinesBytes = Long.MAX_VALUE;
  private long remainingLinesBytes = Long.MAX_VALUE;
  private boolean ended;

  /** The source of bytes. */
  @FunctionalInterface
  interface Source {
    /** Reads bytes like {@link InputStream#read(byte[], int, int)}. */
    int read(byte[] into, int offset, int length) throws IOException;
  }

  InputBuffer(Source source, int capacity) {
    this.source = source;
    this.bytes = new byte[capacity];
  }

  /**
   * Bounds the total length of the lines read from now on, which are those of a head.
   *
   * @param maxBytes the bytes of all lines together; {@link Long#MAX_VALUE} for no bound
   */
  void boundLines(long maxBytes) {
    maxLinesBytes = maxBytes;
    remainingLinesBytes = maxBytes;
  }

  /** Returns whether the source ended. */
  boolean isEnded() {
    return ended;
  }

  @Override
  public int length() {
    return end - next;
  }

  @Override
  public int capacity() {
    return bytes.length;
  }

  @Override
  public int available() {
    return capacity() - length();
  }

  /** Returns the byte at an offset from the read position; it must be buffered. */
  byte peek(int offset) {
    return bytes[next + offset];
  }

  /**
   * Returns the offset of the first buffered line feed at or after another offset; -1 when there is
   * none. Both offsets are from the read position.
   */
  int findLineFeed(int from) {
    for (int i = next + from; i < end; i++) {
      if (bytes[i] == '\n') {
        return i - next;
      }
    }
    return -1;
  }

  /** Skips bytes, which must be buffered. */
  void skip(int count) {
    next += count;
  }

  /** Refills the empty buffer; returns false at the end of the source. */
  private boolean refill() throws IOException {
    next = 0;
    end = 0;
    int read = source.read(bytes, 0, bytes.length);
    ended = read < 0;
    end = Math.max(0, read);
    return !ended;
  }

  int read(byte[] into, int offset, int length) throws IOException {
    if (next == end) {
      if (length >= bytes.length) {
        int read = source.read(into, offset, length);
        ended = read < 0;
        return read;
      }
      if (!refill()) {
        return -1;
      }
    }
    int count = Math.min(length, end - next);
    System.arraycopy(bytes, next, into, offset, count);
    next += count;
    return count;
  }

  /**
   * Appends the next line without its line end; the last line may have none.
   *
   * @return the length of the line; -1 at the end of the source
   * @throws MessageConstraintException when the line is too long, or all lines together are
   */
  int readLine(CharArrayBuffer line) throws IOException {
    int start = line.length();
    while (true) {
      int feed = findLineFeed(0);
      int count = feed < 0 ? end - next : feed + 1;
      if (line.length() - start + count > MAX_LINE_BYTES) {
        throw new MessageConstraintException(
            "a line of the answer exceeds " + MAX_LINE_BYTES + " bytes");
      }
      remainingLinesBytes -= count;
      if (remainingLinesBytes < 0) {
        throw new MessageConstraintException(
            "the head of the answer exceeds " + maxLinesBytes + " bytes");
      }
      line.append(bytes, next, count);
      next += count;
      if (feed >= 0) {
        int length = line.length() - 1;
        line.setLength(length > start && line.charAt(length - 1) == '\r' ? length - 1 : length);
        return line.length() - start;
      }
      if (!refill()) {
        return line.length() == start ? -1 : line.length() - start;
      }
    }
  }

  @Override
  public int read(byte[] into, int offset, int length, InputStream unused) throws IOException {
    return read(into, offset, length);
  }

  @Override
  public int read(byte[] into, InputStream unused) throws IOException {
    return read(into, 0, into.length);
  }

  @Override
  public int read(InputStream unused) throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int readLine(CharArrayBuffer line, InputStream unused) throws IOException {
    return readLine(line);
  }

  @Override
  public HttpTransportMetrics getMetrics() {
    return new BasicHttpTransportMetrics(); // not collected
  }
}
