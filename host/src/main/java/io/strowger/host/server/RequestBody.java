package io.strowger.host.server;

import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.strowger.spi.ambient.FairShare;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, touched only when somebody reads it: a client that asked whether it may
 * send is told so then, and one whose credential is bad never is.
 */
final class RequestBody extends InputStream {
  /** A rest this small is read and dropped, so that the connection can be used again. */
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
   * @param whenRead run when the end of the body was seen, before the reader learns of it
   */
  RequestBody(RequestHead head, HttpConnection connection, Runnable whenRead) {
    this.head = head;
    this.connection = connection;
    this.whenRead = whenRead;
    this.askedFor = !head.expects();
  }

  /** To be called once before anybody reads. */
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

  /** What reading failed with: the client broke off or sent something that is not HTTP. */
  @Nullable RuntimeException broken() {
    return broken;
  }

  /** Reading failed because the body is larger than the server takes at all. */
  boolean isTooLarge() {
    return broken instanceof RequestException refused
        && refused.status().code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code();
  }

  /**
   * Returns whether the connection has to end with the answer: reading failed, or more is left than
   * is worth reading, or the client asked whether it may send the body and was not told. Nobody
   * knows then whether a body comes next or another request.
   */
  boolean endsConnection() {
    return broken != null
        || !ended && (head.length() < 0 || head.length() > SMALL || !wasAskedFor());
  }

  /** Returns false when the client asked whether it may send the body, and was not told to. */
  boolean wasAskedFor() {
    return askedFor;
  }

  /** Returns whether the client may still be sending. */
  boolean isUnfinished() {
    return !ended && broken == null;
  }
}
