package io.strowger.host.server;

import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.strowger.spi.ambient.FairShare;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request. A client that sent {@code Expect: 100-continue} gets its {@code 100
 * Continue} at the first read, so one with an invalid credential never sends its body.
 */
final class RequestBody extends InputStream {
  /**
   * The longest body that is read and dropped if nobody reads it, so that the connection can be
   * reused.
   */
  static final long SMALL = 64 * 1024;

  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final RequestHead head;
  private final HttpConnection connection;
  private final Runnable whenRead;
  private final FairShare turn = new FairShare(FairShare.COPIED_BYTES);
  private @Nullable RuntimeException broken;
  private boolean askedFor;
  private boolean ended;

  /**
   * @param whenRead run when the end of the body is reached, before the read returns
   */
  RequestBody(RequestHead head, HttpConnection connection, Runnable whenRead) {
    this.head = head;
    this.connection = connection;
    this.whenRead = whenRead;
    this.askedFor = !head.expects();
  }

  /** Prepares the body; must be called once before the first read. */
  void begin() {
    endWhenRead();
  }

  private void endWhenRead() {
    if (!ended && connection.requests().atEnd()) {
      ended = true;
      whenRead.run();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (ended) {
      return -1;
    }
    try {
      if (!askedFor) {
        askedFor = true;
        connection.out().write(CONTINUE, 0, CONTINUE.length);
      }
      int count = connection.requests().read(into, from, length);
      turn.advance(Math.max(0, count));
      endWhenRead();
      return count;
    } catch (RuntimeException e) {
      broken = e;
      throw new IOException("the client did not finish its request", e);
    }
  }

  /**
   * Returns why reading failed: the client closed the connection or sent something that is not
   * HTTP. Null when no read failed.
   */
  @Nullable RuntimeException broken() {
    return broken;
  }

  /** Returns whether reading failed because the body exceeds the server's limit. */
  boolean isTooLarge() {
    return broken instanceof RequestException refused
        && refused.status().code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code();
  }

  /**
   * Returns whether the connection must be closed after the answer: reading failed, or the unread
   * body may be too long to drop, or the client waits for {@code 100 Continue}; then it may send
   * either the body or another request next.
   */
  boolean endsConnection() {
    return broken != null
        || !ended && (head.length() < 0 || head.length() > SMALL || !wasAskedFor());
  }

  /** Returns false while the client waits for {@code 100 Continue}. */
  boolean wasAskedFor() {
    return askedFor;
  }

  /** Returns whether the client may still be sending. */
  boolean isUnfinished() {
    return !ended && broken == null;
  }
}
