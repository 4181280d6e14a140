package io.strowger.providers.http;

import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpConnection;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/** One exchange whose head has come. */
final class ApacheResponse implements Transport.Response {
  /** More than the end of a stream needs; whoever has more to say is cut off. */
  private static final int LEFTOVER = 4096;

  private static final Timeout LEFTOVER_WAIT = Timeout.ofMilliseconds(10);
  private static final int LEFTOVER_READS = 16; // each may wait

  private final HttpPost request;
  private final ClassicHttpResponse response;
  private final Cancellation.Registration registration;
  private final HttpConnection connection;
  private final Body body;
  private final AtomicBoolean closed = new AtomicBoolean();

  ApacheResponse(
      HttpPost request,
      ClassicHttpResponse response,
      Cancellation.Registration registration,
      HttpConnection connection)
      throws IOException {
    this.request = request;
    this.response = response;
    this.registration = registration;
    this.connection = connection;
    HttpEntity entity = response.getEntity();
    this.body = new Body(entity == null ? InputStream.nullInputStream() : entity.getContent());
  }

  @Override
  public int status() {
    return response.getCode();
  }

  @Override
  public @Nullable String header(String name) {
    Header header = response.getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public void finish() {
    if (!body.ended && !closed.get()) {
      body.drain();
    }
    close();
  }

  /**
   * At the end of the body the client has given the connection back by itself; cancelling then
   * touches nobody.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      registration.close();
      if (!body.ended) {
        request.cancel();
      }
    }
  }

  /** The body; notes its end, and that there is nobody to cancel any more. */
  private final class Body extends FilterInputStream {
    private volatile boolean ended;

    Body(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      try {
        return noted(super.read());
      } catch (IOException | RuntimeException broken) {
        throw Malformed.orSame(broken);
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return noted(super.read(into, offset, length));
      } catch (IOException | RuntimeException broken) {
        throw Malformed.orSame(broken);
      }
    }

    private int noted(int read) {
      if (read < 0 && !ended) {
        ended = true;
        registration.close();
      }
      return read;
    }

    private void drain() {
      try {
        connection.setSocketTimeout(LEFTOVER_WAIT);
        byte[] rest = new byte[LEFTOVER];
        int room = LEFTOVER;
        for (int reads = 0; reads < LEFTOVER_READS && room > 0 && !ended; reads++) {
          room -= read(rest, 0, room);
        }
      } catch (IOException unfinished) {
        request.cancel();
      }
    }

    /** Closing the client's stream would wait for the rest of the body. */
    @Override
    public void close() {
      ApacheResponse.this.close();
    }
  }
}
