package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The input of a connection, read by lines or as bytes. A line ends with CR LF and with nothing
 * else, because recipients that disagree about where a line ends also disagree about where a
 * request ends.
 *
 * <p>Confined to the connection's thread.
 */
final class ConnectionInput {
  private static final byte[] NOTHING = {};
  private static final int USUAL_LINE = 128;
  private static final int LONG_LINE = 1024;

  private final Supplier<byte @Nullable []> source;
  private byte[] piece = NOTHING;
  private int at;
  private byte[] line = NOTHING;
  private int lineLength;

  /**
   * @param source waits for the next bytes and returns them; null at the end of the input
   */
  ConnectionInput(Supplier<byte @Nullable []> source) {
    this.source = source;
  }

  /** Returns whether all received bytes have been taken. */
  boolean isEmpty() {
    return at == piece.length;
  }

  /**
   * Waits until there is a byte to take.
   *
   * @return false at the end of the input
   */
  boolean fill() {
    while (isEmpty()) {
      piece = NOTHING; // lets it be collected while the connection is idle
      at = 0;
      byte[] next = source.get();
      if (next == null) {
        return false;
      }
      piece = next;
    }
    return true;
  }

  /**
   * Takes the next line and returns it without its CR LF, one character per byte.
   *
   * @param limit the most characters it may have
   * @param status the HTTP status with which a longer line is refused
   * @throws io.helidon.http.RequestException when the line is too long, or contains a CR or LF that
   *     does not end it
   * @throws CloseConnectionException when the input ends first
   */
  String line(int limit, int status) {
    return line(limit, status, ConnectionInput::text);
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** Takes the next line like {@link #line(int, int)} and returns what the reader makes of it. */
  <T extends @Nullable Object> T line(int limit, int status, LineReader<T> reader) {
    int from = at;
    int end = endInPiece(limit);
    if (end < 0) {
      lineLength = slowLine(limit, status);
      return reader.read(line, 0, lineLength);
    }
    at = end + 2;
    lineLength = end - from;
    return reader.read(piece, from, end);
  }

  /** Returns the length in bytes of the line that was taken last, without its CR LF. */
  int lineLength() {
    return lineLength;
  }

  /** Parses a line, given without its CR LF. */
  interface LineReader<T extends @Nullable Object> {
    T read(byte[] bytes, int from, int to);
  }

  /**
   * Returns the index of the CR LF of a line that was received completely; -1 when the line must be
   * read byte by byte.
   */
  private int endInPiece(int limit) {
    int most = Math.min(piece.length - 1, at + limit + 1);
    for (int i = at; i < most; i++) {
      byte next = piece[i];
      if (next == '\r') {
        return piece[i + 1] == '\n' ? i : -1;
      }
      if (next == '\n') {
        return -1;
      }
    }
    return -1;
  }

  /** Puts the next line into {@link #line} and returns its length. */
  private int slowLine(int limit, int status) {
    if (line.length == 0 || line.length > LONG_LINE) {
      // thousands of idle connections would keep a longer one for minutes
      line = new byte[USUAL_LINE];
    }
    int length = 0;
    while (true) {
      if (!fill()) {
        throw new CloseConnectionException("the client closed in the middle of a line");
      }
      byte next = piece[at++];
      boolean afterReturn = length > 0 && line[length - 1] == '\r';
      if (next == '\n' && afterReturn) {
        return length - 1;
      }
      if (next == '\n' || afterReturn) {
        throw ProtocolErrorResponder.malformed("a line does not end with CR LF");
      }
      if (length > limit || length == limit && next != '\r') {
        throw ProtocolErrorResponder.refused(status, "a line is too long");
      }
      if (length == line.length) {
        line = Arrays.copyOf(line, 2 * length);
      }
      line[length++] = next;
    }
  }

  /**
   * Takes received bytes; there must be at least one, see {@link #isEmpty}.
   *
   * @param most at least 1
   * @return the number of bytes put into the array, at least 1
   */
  int take(byte[] into, int from, int most) {
    int count = Math.min(most, piece.length - at);
    System.arraycopy(piece, at, into, from, count);
    at += count;
    return count;
  }
}
