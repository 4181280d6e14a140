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
  private byte[] line = new byte[USUAL_LINE];

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
      byte[] next = source.get();
      if (next == null) {
        return false;
      }
      piece = next;
      at = 0;
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
    if (line.length > LONG_LINE) {
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
        return new String(line, 0, length - 1, StandardCharsets.ISO_8859_1);
      }
      if (next == '\n' || afterReturn) {
        throw Refusals.malformed("a line does not end with CR LF");
      }
      if (length > limit || length == limit && next != '\r') {
        throw Refusals.refused(status, "a line is too long");
      }
      if (length == line.length) {
        line = Arrays.copyOf(line, 2 * length);
      }
      line[length++] = next;
    }
  }

  /**
   * Takes bytes as they came, waiting for the first.
   *
   * @param most at least 1
   * @return at least one and at most that many; null at the end of the input
   */
  byte @Nullable [] some(long most) {
    if (!fill()) {
      return null;
    }
    int from = at;
    int length = (int) Math.min(most, piece.length - from);
    at += length;
    if (length < piece.length) {
      return Arrays.copyOfRange(piece, from, from + length);
    }
    byte[] whole = piece;
    piece = NOTHING;
    at = 0;
    return whole;
  }
}
