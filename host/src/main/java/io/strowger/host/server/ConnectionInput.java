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
  private static final byte[] EMPTY = {};
  private static final int INITIAL_LINE_CAPACITY = 128;
  private static final int MAX_KEPT_LINE_CAPACITY = 1024;

  private final Supplier<byte @Nullable []> source;
  private byte[] piece = EMPTY;
  private int position;
  private byte[] line = EMPTY;
  private int lineLength;

  /**
   * @param source waits for the next bytes and returns them; null at the end of the input
   */
  ConnectionInput(Supplier<byte @Nullable []> source) {
    this.source = source;
  }

  /** Returns whether all received bytes have been taken. */
  boolean isEmpty() {
    return position == piece.length;
  }

  /**
   * Waits until there is a byte to take.
   *
   * @return false at the end of the input
   */
  boolean fill() {
    while (isEmpty()) {
      piece = EMPTY; // lets the array be collected while the connection is idle
      position = 0;
      byte[] next = source.get();
      if (next == null) {
        return false;
      }
      piece = next;
    }
    return true;
  }

  /**
   * Waits for the first byte of a message, as {@link #fill}. While a connection is idle, it keeps
   * no array of a long line.
   */
  boolean awaitMessage() {
    if (line.length > MAX_KEPT_LINE_CAPACITY) {
      line = EMPTY;
    }
    return fill();
  }

  /**
   * Takes the next line and returns it without its CR LF, one character per byte.
   *
   * @param limit the most characters that the line may have
   * @param status the HTTP status with which a longer line is refused
   * @throws io.helidon.http.RequestException when the line is too long, or contains a CR or LF that
   *     does not end it
   * @throws CloseConnectionException when the input ends first
   */
  String readLine(int limit, int status) {
    return readLine(limit, status, ConnectionInput::toText);
  }

  private static String toText(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /**
   * Takes the next line like {@link #readLine(int, int)} and returns what the reader makes of it.
   */
  <T extends @Nullable Object> T readLine(int limit, int status, LineReader<T> reader) {
    int from = position;
    int end = findLineEnd(limit);
    if (end < 0) {
      lineLength = readLineBytewise(limit, status);
      return reader.read(line, 0, lineLength);
    }
    position = end + 2;
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
  private int findLineEnd(int limit) {
    int bound = Math.min(piece.length - 1, position + limit + 1);
    for (int i = position; i < bound; i++) {
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
  private int readLineBytewise(int limit, int status) {
    if (line.length == 0) {
      line = new byte[INITIAL_LINE_CAPACITY];
    }
    int length = 0;
    while (true) {
      if (!fill()) {
        throw new CloseConnectionException("the client closed in the middle of a line");
      }
      byte next = piece[position++];
      boolean afterReturn = length > 0 && line[length - 1] == '\r';
      if (next == '\n' && afterReturn) {
        return length - 1;
      }
      if (next == '\n' || afterReturn) {
        throw HttpError.malformed("a line does not end with CR LF");
      }
      if (length > limit || length == limit && next != '\r') {
        throw HttpError.refusal(status, "a line is too long");
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
   * @param maxLength at least 1
   * @return the number of bytes put into the array, at least 1
   */
  int take(byte[] into, int from, int maxLength) {
    int count = Math.min(maxLength, piece.length - position);
    System.arraycopy(piece, position, into, from, count);
    position += count;
    return count;
  }
}
