package io.strowger.providers.http;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.io.HttpTransportMetrics;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * What was read from a connection and belongs to nobody yet. In place of the library's own buffer,
 * which shows nobody what lies in it: whoever reads chunks must see behind the end of one whether
 * the next one is there already. Bounds every line, and all lines of a head together.
 *
 * <p>The streams that the library's methods take are not used: a buffer has one source.
 */
final class InputBuffer implements SessionInputBuffer {
  /** Of a head, a chunk's size or a trailer. */
  private static final int MOST_LINE_BYTES = 16 << 10;

  private final Source source;
  private final byte[] bytes;
  private int next;
  private int end;
  private long lineRoom = Long.MAX_VALUE;
  private boolean ended;

  /** Where bytes come from. */
  @FunctionalInterface
  interface Source {
    /** As {@link InputStream#read(byte[], int, int)}. */
    int read(byte[] into, int offset, int length) throws IOException;
  }

  InputBuffer(Source source, int capacity) {
    this.source = source;
    this.bytes = new byte[capacity];
  }

  /**
   * Bounds what is read as lines from now on.
   *
   * @param most bytes of all of them
   */
  void boundLines(long most) {
    lineRoom = most;
  }

  /** True when the source has ended. */
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

  /** The byte so many behind the next one; there must be as many. */
  byte peek(int ahead) {
    return bytes[next + ahead];
  }

  /** How far ahead the next line feed is that was read already; -1 when none was. */
  int lineFeed(int ahead) {
    for (int i = next + ahead; i < end; i++) {
      if (bytes[i] == '\n') {
        return i - next;
      }
    }
    return -1;
  }

  /** Passes over bytes that were read already. */
  void skip(int count) {
    next += count;
  }

  /** Reads once when nothing is left; false at the end of the source. */
  private boolean fill() throws IOException {
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
      if (!fill()) {
        return -1;
      }
    }
    int count = Math.min(length, end - next);
    System.arraycopy(bytes, next, into, offset, count);
    next += count;
    return count;
  }

  /**
   * Appends the next line without its end; the last one may have none.
   *
   * @return its length; -1 at the end of the source
   * @throws MessageConstraintException when it is too long
   */
  int readLine(CharArrayBuffer line) throws IOException {
    int start = line.length();
    while (true) {
      int feed = lineFeed(0);
      int count = feed < 0 ? end - next : feed + 1;
      lineRoom -= count;
      if (lineRoom < 0 || line.length() - start + count > MOST_LINE_BYTES) {
        throw new MessageConstraintException("a line, or lines, without an end");
      }
      line.append(bytes, next, count);
      next += count;
      if (feed >= 0) {
        int length = line.length() - 1;
        line.setLength(length > start && line.charAt(length - 1) == '\r' ? length - 1 : length);
        return line.length() - start;
      }
      if (!fill()) {
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
    return new BasicHttpTransportMetrics(); // nobody counts
  }
}
