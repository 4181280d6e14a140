package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a connection, taken line by line or as they came. A line ends with CR LF and with
 * nothing else: recipients that disagree about where a line ends disagree about where a request
 * ends.
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
   * @param source waits for the next bytes; null at the end of the input
   */
  ConnectionInput(Supplier<byte @Nullable []> source) {
    this.source = source;
  }

  /** Returns true when nothing was received that has not been taken. */
  boolean isEmpty() {
    return at == piece.length;
  }

  /** Waits until there is a byte to take; returns false at the end of the input. */
  boolean fill() {
    while (isEmpty()) {
      piece = NOTHING; // nobody keeps it while the connection rests
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
   * Takes the next line and returns it without its end, one character per byte.
   *
   * @param limit the most characters it may have
   * @param status what a longer line is refused with
   * @throws io.helidon.http.RequestException when it is too long, or holds a CR or LF that does not
   *     end it
   * @throws CloseConnectionException when the input ends first
   */
  String line(int limit, int status) {
    return line(limit, status, ConnectionInput::text);
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** As {@link #line(int, int)}, but returns what is made of the line. */
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

  /** The bytes of the line that was taken last, without its end. */
  int lineLength() {
    return lineLength;
  }

  /** Makes something of a line without its end. */
  interface LineReader<T extends @Nullable Object> {
    T read(byte[] bytes, int from, int to);
  }

  /** Returns where the end of a proper line begins; -1 when it has to be looked at more closely. */
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
      line = new byte[USUAL_LINE]; // connections rest for minutes, thousands of them
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
   * Takes bytes that were received.
   *
   * @param most at least 1, and there is a byte to take
   * @return how many were put into the array, at least 1
   */
  int take(byte[] into, int from, int most) {
    int count = Math.min(most, piece.length - at);
    System.arraycopy(piece, at, into, from, count);
    at += count;
    return count;
  }
}
