package io.strowger.host.server;

import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.strowger.spi.ambient.FairShare;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, touched only when somebody reads it: a client that asked whether it may
 * send is told so then, and one whose credential is bad never is.
 */
final class RequestBody extends InputStream {
  /** A rest this small is read and dropped, so that the connection can be used again. */
  static final long SMALL = 64 * 1024;

  private final ServerRequest request;
  private final Runnable whenRead;
  private final FairShare turn = new FairShare(FairShare.COPIED_BYTES);
  private @Nullable InputStream opened;
  private @Nullable RuntimeException broken;
  private final long declared; // -1: not known
  private long read;
  private boolean ended;

  /**
   * @param whenRead run when the end of the body was seen, before the reader learns of it
   */
  RequestBody(ServerRequest request, Runnable whenRead) {
    this.request = request;
    this.whenRead = whenRead;
    this.declared = request.headers().contentLength().orElse(-1);
    if (!hasEntity()) {
      end();
    }
  }

  private boolean hasEntity() {
    return declared > 0 || request.headers().containsToken(HeaderValues.TRANSFER_ENCODING_CHUNKED);
  }

  private void end() {
    if (!ended) {
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
      InputStream in = opened;
      if (in == null) {
        in = request.content().inputStream();
        opened = in;
      }
      int count = in.read(into, from, length);
      read += Math.max(0, count);
      turn.did(Math.max(0, count));
      // who knows the length stops there; the server has to be asked once more to see the end
      if (count < 0 || read == declared && in.read() < 0) {
        end();
      }
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
   * knows then whether a body comes next or another request, and the web server would take the one
   * for the other.
   */
  boolean endsConnection() {
    return broken != null || !ended && (declared < 0 || declared > SMALL || !wasAskedFor());
  }

  /** Returns false when the client asked whether it may send the body, and was not told to. */
  boolean wasAskedFor() {
    return request.continueSent();
  }

  /** Returns whether the client may still be sending. */
  boolean isUnfinished() {
    return !ended && broken == null;
  }
}
