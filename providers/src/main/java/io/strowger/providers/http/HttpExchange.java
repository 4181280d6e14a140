package io.strowger.providers.http;

import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response. Holds at most one connection. Either the reader returns it to the
 * pool at the end of the body, or an earlier abort on any thread does. So a connection is returned
 * once, and closing an exchange late affects no other exchange.
 */
final class HttpExchange implements Transport.Response {
  /**
   * The maximum number of bytes read to finish a body, so that its connection can be reused; the
   * connection of a longer body is closed.
   */
  private static final int LEFTOVER = 4096;

  private static final Duration LEFTOVER_WAIT = Duration.ofMillis(10);
  private static final int LEFTOVER_READS = 16; // each may wait

  private final ConnectionPool pool;
  private final Transport.Request request;
  private final Cancellation.Registration registration;
  private final AtomicReference<@Nullable PooledConnection> held = new AtomicReference<>();
  private final Content content = new Content();
  private @Nullable ClassicHttpResponse head;
  private volatile ConnectionPool.@Nullable Waiter waiter;
  private volatile boolean over;

  HttpExchange(ConnectionPool pool, Transport.Request request) {
    this.pool = pool;
    this.request = request;
    this.registration = request.cancellation().onCancel(this::abandon);
  }

  /**
   * Sends the request and waits for the response head. The caller closes this if it fails.
   *
   * @param watched whether a sweep ends reads that wait too long, instead of a socket timeout
   */
  void open(UpstreamAddress upstreamAddress, ConnectionOptions dialing, boolean watched)
      throws IOException, HttpException {
    while (head == null) {
      PooledConnection connection = lease(upstreamAddress.server());
      try {
        if (!connection.isConnected()) {
          connection.connect(upstreamAddress.server(), request.connectTimeout(), dialing);
        }
        if (watched) {
          connection.watched(request.silence());
        } else {
          connection.timed(request.silence());
        }
        connection.send(upstreamAddress, request);
        begin(connection, connection.receive());
      } catch (PooledConnection.Unsent used) {
        abandonConnection();
        if (over) {
          throw used;
        }
        // new connections never fail this way, so the loop ends with the idle ones
      } catch (IOException | HttpException ended) {
        abandonConnection();
        if (over
            || request.method() != Transport.Method.GET
            || ended instanceof SocketTimeoutException
            || !connection.isClosedUnanswered()) {
          throw ended;
        }
        // a GET can be repeated safely
      }
    }
  }

  private PooledConnection lease(UpstreamAddress.Server server) throws IOException {
    if (over) {
      throw cancelled();
    }
    PooledConnection connection =
        pool.lease(server, request.poolKey(), request.connectTimeout(), this::waitsAt);
    held.set(connection);
    if (over) {
      throw cancelled();
    }
    return connection;
  }

  private static InterruptedIOException cancelled() {
    return new InterruptedIOException("cancelled");
  }

  private void waitsAt(ConnectionPool.@Nullable Waiter place) {
    waiter = place;
    if (place != null && over) {
      place.cancel();
    }
  }

  private void begin(PooledConnection connection, ResponseHeads.Head read) {
    head = read.message();
    content.in = connection.body();
    if (content.in.isEnded()) {
      content.end();
    }
  }

  /** Aborts the exchange in any state. Any thread. */
  private void abandon() {
    over = true;
    ConnectionPool.Waiter waits = waiter;
    if (waits != null) {
      waits.cancel();
    }
    abandonConnection();
  }

  private void abandonConnection() {
    PooledConnection connection = held.getAndSet(null);
    if (connection != null) {
      pool.discard(connection);
    }
  }

  private void release() {
    registration.close();
    PooledConnection connection = held.getAndSet(null);
    if (connection == null) {
      return;
    }
    if (connection.isReusable()) {
      pool.putBack(connection);
    } else {
      pool.discard(connection);
    }
  }

  private ClassicHttpResponse head() {
    if (head == null) {
      throw new IllegalStateException("no head has come");
    }
    return head;
  }

  @Override
  public int status() {
    return head().getCode();
  }

  @Override
  public @Nullable String header(String name) {
    Header header = head().getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  @Override
  public InputStream body() {
    return content;
  }

  @Override
  public void finish() {
    content.drain();
    close();
  }

  @Override
  public void close() {
    registration.close();
    abandon();
  }

  /** The body; at its end the connection is returned to the pool. */
  private final class Content extends InputStream {
    private @Nullable ConnectionBody in; // null once it has ended

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      ConnectionBody from = in;
      if (from == null) {
        return -1;
      }
      if (over) {
        throw cancelled();
      }
      try {
        int read = from.read(into, offset, length);
        if (read < 0) {
          end();
        }
        return read;
      } catch (IOException | RuntimeException broken) {
        abandonConnection(); // the position in the stream is unknown
        throw Malformed.orSame(broken);
      }
    }

    @Override
    public int available() {
      return in == null ? 0 : in.available();
    }

    private void end() {
      in = null;
      release();
    }

    private void drain() {
      PooledConnection connection = held.get();
      if (in == null || connection == null) {
        return;
      }
      try {
        connection.timed(LEFTOVER_WAIT);
        byte[] rest = new byte[LEFTOVER];
        int room = LEFTOVER;
        for (int reads = 0; reads < LEFTOVER_READS && room > 0 && in != null; reads++) {
          room -= Math.max(0, read(rest, 0, room));
        }
      } catch (IOException unfinished) {
        // closed as an unfinished exchange
      }
    }

    @Override
    public void close() {
      HttpExchange.this.close();
    }
  }
}
