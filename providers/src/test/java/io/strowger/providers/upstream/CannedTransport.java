package io.strowger.providers.upstream;

import io.strowger.spi.provider.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A transport that gives the same answer to every request. It records the last request and how
 * often responses were finished and closed.
 */
public final class CannedTransport implements Transport {
  private final int status;
  private final Map<String, String> headers = new HashMap<>();
  private final byte[] body;
  private @Nullable IOException failure;
  private @Nullable IOException cut;
  private Runnable atEnd = () -> {};
  private @Nullable Request sent;
  private int closed;
  private int finished;

  public CannedTransport(int status, String body) {
    this.status = status;
    this.body = body.getBytes(StandardCharsets.UTF_8);
  }

  public CannedTransport header(String name, String value) {
    headers.put(name.toLowerCase(Locale.ROOT), value);
    return this;
  }

  /** Makes every request fail with this exception. */
  public CannedTransport failing(IOException exception) {
    failure = exception;
    return this;
  }

  /** Makes reading fail with this exception after the body. */
  public CannedTransport cutBy(IOException exception) {
    cut = exception;
    return this;
  }

  /** Runs this action when the body has been read to its end. */
  public CannedTransport atEnd(Runnable action) {
    atEnd = action;
    return this;
  }

  public Request sent() {
    return Objects.requireNonNull(sent);
  }

  public int closed() {
    return closed;
  }

  public int finished() {
    return finished;
  }

  @Override
  public Response send(Request request) throws IOException {
    sent = request;
    if (failure != null) {
      throw failure;
    }
    return new CannedResponse();
  }

  @Override
  public void close() {}

  private final class CannedResponse implements Response {
    private final InputStream in = new ByteArrayInputStream(body);

    @Override
    public int status() {
      return status;
    }

    @Override
    public @Nullable String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public InputStream body() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          int read = in.read(into, offset, length);
          if (read < 0) {
            atEnd.run();
          }
          if (read < 0 && cut != null) {
            throw cut;
          }
          return read;
        }
      };
    }

    @Override
    public void finish() {
      finished++;
    }

    @Override
    public void close() {
      closed++;
    }
  }
}
