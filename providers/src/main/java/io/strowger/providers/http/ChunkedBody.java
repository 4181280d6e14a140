package io.strowger.providers.http;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * Reads the body of a response that comes in chunks. In place of the client's own reader, which
 * keeps all trailers, megabytes of them, and takes {@code +1f} for a size. Extensions of chunks and
 * trailers are read over; nobody asks for them.
 */
final class ChunkedBody extends InputStream {
  /** Of a chunk's size: more than any body has, and less than overflows. */
  private static final int MOST_DIGITS = 15;

  private static final int MOST_TRAILER_BYTES = 8 << 10;
  private static final int CRLF = 2;

  private final SessionInputBuffer buffer;
  private final InputStream in;
  private final CharArrayBuffer line = new CharArrayBuffer(64);
  private long left; // of the chunk that is being read
  private boolean begun;
  private boolean ended;

  /**
   * @param buffer bounds the length of a line
   * @param in fills it
   */
  ChunkedBody(SessionInputBuffer buffer, InputStream in) {
    this.buffer = buffer;
    this.in = in;
  }

  /** True when the last chunk and the trailers behind it were read. */
  boolean isEnded() {
    return ended;
  }

  @Override
  public int available() {
    return (int) Math.min(left, buffer.length());
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0 && !nextChunk()) {
      return -1;
    }
    int read = buffer.read(into, offset, (int) Math.min(left, length), in);
    if (read < 0) {
      throw new TruncatedChunkException("closed inside a chunk");
    }
    left -= read;
    return read;
  }

  /** Begins the next chunk; false when there is none. */
  private boolean nextChunk() throws IOException {
    if (ended) {
      return false;
    }
    if (begun && !line("closed before the end of a chunk").isEmpty()) {
      throw new MalformedChunkCodingException("a chunk that is longer than its size");
    }
    begun = true;
    left = size(line("closed before the size of a chunk"));
    if (left == 0) {
      skipTrailers();
      ended = true;
    }
    return left > 0;
  }

  private CharArrayBuffer line(String cut) throws IOException {
    line.clear();
    if (buffer.readLine(line, in) < 0) {
      throw new TruncatedChunkException(cut);
    }
    return line;
  }

  /** The digits before an extension, if there is one. */
  private static long size(CharArrayBuffer line) throws MalformedChunkCodingException {
    long size = 0;
    int digits = 0;
    while (digits < line.length() && Character.digit(line.charAt(digits), 16) >= 0) {
      size = size << 4 | Character.digit(line.charAt(digits), 16);
      if (++digits > MOST_DIGITS) {
        throw new MalformedChunkCodingException("a chunk of a size nobody reads");
      }
    }
    String behind = line.substringTrimmed(digits, line.length());
    if (digits == 0 || !behind.isEmpty() && behind.charAt(0) != ';') {
      throw new MalformedChunkCodingException("a chunk whose size is no number");
    }
    return size;
  }

  private void skipTrailers() throws IOException {
    int room = MOST_TRAILER_BYTES;
    while (true) {
      line.clear();
      if (buffer.readLine(line, in) < 0 || line.isEmpty()) {
        return; // the body is complete, also where its upstream has hung up by now
      }
      if (line.indexOf(':') < 1) {
        throw new MalformedChunkCodingException("a trailer that cannot be read");
      }
      room -= line.length() + CRLF;
      if (room < 0) {
        throw new MessageConstraintException("trailers that do not end");
      }
    }
  }
}
