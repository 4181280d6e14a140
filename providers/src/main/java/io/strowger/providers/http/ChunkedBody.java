package io.strowger.providers.http;

import java.io.IOException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a response body in chunked encoding. Replaces the library's reader, which keeps trailers of
 * any size in memory and accepts {@code +1f} as a size. Chunk extensions and trailers are skipped.
 *
 * <p>Looks ahead, past the end of a chunk, at bytes that are already buffered: one read returns the
 * bytes of several chunks, and {@link #available()} is zero only when no byte of the body is
 * buffered.
 */
final class ChunkedBody implements ConnectionBody {
  /** The maximum digits of a chunk size: more than any body needs, but no overflow. */
  private static final int MAX_DIGITS = 15;

  private static final int SHORT_DIGITS = 6;
  private static final int MAX_TRAILER_BYTES = 8 << 10;
  private static final int CRLF = 2;

  private final InputBuffer buffer;
  private final CharArrayBuffer line = new CharArrayBuffer(64);
  private long remaining; // bytes of the current chunk
  private boolean begun;
  private boolean ended;
  private @Nullable IOException failure; // found while looking ahead

  /**
   * @param buffer the connection's input, which limits each line; its limit for all lines together
   *     is lifted, since the lines of a long body have no such limit
   */
  ChunkedBody(InputBuffer buffer) {
    this.buffer = buffer;
    buffer.boundLines(Long.MAX_VALUE);
  }

  @Override
  public boolean isEnded() {
    return ended;
  }

  /**
   * Returns the number of buffered bytes of the current chunk, or of the next one if the current
   * one is over.
   */
  @Override
  public int available() {
    if (remaining == 0 && isNextBuffered()) {
      lookAhead();
    }
    return (int) Math.min(remaining, buffer.length());
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (remaining == 0 && !nextChunk()) {
      return -1;
    }
    int total = readPiece(into, offset, length);
    while (total < length && available() > 0) {
      total += readPiece(into, offset + total, length - total);
    }
    return total;
  }

  /** Reads bytes of the current chunk. */
  private int readPiece(byte[] into, int offset, int length) throws IOException {
    int read = buffer.read(into, offset, (int) Math.min(remaining, length));
    if (read < 0) {
      throw new TruncatedChunkException("closed inside a chunk");
    }
    remaining -= read;
    return read;
  }

  /** Begins the next chunk; a failure is kept for the read that reaches it. */
  private void lookAhead() {
    try {
      nextChunk();
    } catch (IOException malformed) {
      failure = malformed;
    }
  }

  /** Begins the next chunk; returns false when there is none. */
  private boolean nextChunk() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (ended) {
      return false;
    }
    if (begun && !skipCrlf() && !readLine("closed before the end of a chunk").isEmpty()) {
      throw new MalformedChunkCodingException("a chunk that is longer than its size");
    }
    begun = true;
    long size = readShortSize();
    remaining = size < 0 ? parseSize(readLine("closed before the size of a chunk")) : size;
    if (remaining == 0) {
      skipTrailers();
      ended = true;
    }
    return remaining > 0;
  }

  /** Returns whether the header of the next chunk, or all trailers, are buffered. */
  private boolean isNextBuffered() {
    if (ended || failure != null) {
      return false;
    }
    int sizeStart = begun ? buffer.findLineFeed(0) + 1 : 0;
    if (begun && sizeStart == 0) {
      return false;
    }
    int end = buffer.findLineFeed(sizeStart);
    return end >= 0 && (!isZero(sizeStart, end) || areTrailersBuffered(end + 1));
  }

  private boolean isZero(int from, int to) {
    int i = from;
    while (i < to && buffer.peek(i) == '0') {
      i++;
    }
    return i > from && Character.digit(buffer.peek(i), 16) < 0;
  }

  private boolean areTrailersBuffered(int from) {
    int start = from;
    for (int end = buffer.findLineFeed(start); end >= 0; end = buffer.findLineFeed(start)) {
      if (end == start || end == start + 1 && buffer.peek(start) == '\r') {
        return true;
      }
      start = end + 1;
    }
    return false;
  }

  private CharArrayBuffer readLine(String truncationMessage) throws IOException {
    line.clear();
    if (buffer.readLine(line) < 0 || buffer.isEnded()) {
      throw new TruncatedChunkException(truncationMessage);
    }
    return line;
  }

  /** Skips CR LF after a chunk; returns false when something else follows, or nothing yet. */
  private boolean skipCrlf() {
    boolean isBuffered = buffer.length() >= CRLF && isLineEnd(0);
    if (isBuffered) {
      buffer.skip(CRLF);
    }
    return isBuffered;
  }

  /**
   * Reads a short size without an extension. Returns -1, and skips nothing, when the size has
   * another form or is incomplete.
   */
  private long readShortSize() {
    long size = 0;
    int maxDigits = Math.min(SHORT_DIGITS, buffer.length() - CRLF);
    for (int i = 0; i <= maxDigits; i++) {
      int digit = Character.digit(buffer.peek(i), 16);
      if (digit < 0) {
        boolean isValid = i > 0 && i + 1 < buffer.length() && isLineEnd(i);
        if (isValid) {
          buffer.skip(i + CRLF);
        }
        return isValid ? size : -1;
      }
      size = size << 4 | digit;
    }
    return -1;
  }

  private boolean isLineEnd(int at) {
    return buffer.peek(at) == '\r' && buffer.peek(at + 1) == '\n';
  }

  /** Returns the size, ignoring an extension. */
  private static long parseSize(CharArrayBuffer line) throws MalformedChunkCodingException {
    long size = 0;
    int digits = 0;
    while (digits < line.length() && Character.digit(line.charAt(digits), 16) >= 0) {
      size = size << 4 | Character.digit(line.charAt(digits), 16);
      if (++digits > MAX_DIGITS) {
        throw new MalformedChunkCodingException("a chunk whose size is too large");
      }
    }
    String extension = line.substringTrimmed(digits, line.length());
    if (digits == 0 || !extension.isEmpty() && extension.charAt(0) != ';') {
      throw new MalformedChunkCodingException("a chunk whose size is no number");
    }
    return size;
  }

  private void skipTrailers() throws IOException {
    int remainingBytes = MAX_TRAILER_BYTES;
    while (true) {
      line.clear();
      if (buffer.readLine(line) < 0 || line.isEmpty()) {
        return; // complete, even if the upstream has closed the connection
      }
      if (line.indexOf(':') < 1) {
        throw new MalformedChunkCodingException("a trailer that cannot be read");
      }
      remainingBytes -= line.length() + CRLF;
      if (remainingBytes < 0) {
        throw new MessageConstraintException(
            "the trailers of the answer exceed " + MAX_TRAILER_BYTES + " bytes");
      }
    }
  }
}
