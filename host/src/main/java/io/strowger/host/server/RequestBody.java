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
 * Continue} at the first read, so a client with an invalid credential never sends its body.
 */
final class RequestBody extends InputStream {
  /**
   * The longest body that is read and discarded if no handler reads it, so that the connection can
   * be reused.
   */
  static final long MAX_DROPPED_BYTES = 64 * 1024;

  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final RequestHead head;
  private final HttpConnection connection;
  private final Runnable onEnd;
  private final FairShare fairShare = new FairShare(FairShare.COPIED_BYTES);
  private @Nullable RuntimeException readFailure;
  private boolean mayBeSent;
  private boolean ended;

  /**
   * @param onEnd run when the end of the body is reached, before the read returns
   */
  RequestBody(RequestHead head, HttpConnection connection, Runnable onEnd) {
    this.head = head;
    this.connection = connection;
    this.onEnd = onEnd;
    this.mayBeSent = !head.expectsContinue();
  }

  /** Prepares the body; must be called once before the first read. */
  void begin() {
    checkEnd();
  }

  private void checkEnd() {
    if (!ended && connection.requests().atEnd()) {
      ended = true;
      onEnd.run();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (ended) {
      return -1;
    }
    try {
      if (!mayBeSent) {
        mayBeSent = true;
        connection.out().write(CONTINUE, 0, CONTINUE.length);
      }
      int count = connection.requests().read(into, from, length);
      fairShare.advance(Math.max(0, count));
      checkEnd();
      return count;
    } catch (RuntimeException e) {
      readFailure = e;
      throw new IOException("the client did not finish its request", e);
    }
  }

  /**
   * Returns why reading failed: the client closed the connection or sent something that is not
   * HTTP. Null when no read failed.
   */
  @Nullable RuntimeException readFailure() {
    return readFailure;
  }

  /** Returns whether reading failed because the body exceeds the server's limit. */
  boolean isTooLarge() {
    return readFailure instanceof RequestException e
        && e.status().code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code();
  }

  /**
   * Returns whether the connection must be closed after the answer: reading failed, or the unread
   * body may be too long to drop, or the client waits for {@code 100 Continue}. Such a client may
   * send either the body or another request next.
   */
  boolean endsConnection() {
    return readFailure != null
        || !ended && (head.length() < 0 || head.length() > MAX_DROPPED_BYTES || !mayBeSent());
  }

  /** Returns false while the client waits for {@code 100 Continue}. */
  boolean mayBeSent() {
    return mayBeSent;
  }

  /** Returns whether the client may still be sending. */
  boolean isUnfinished() {
    return !ended && readFailure == null;
  }
}
