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
 * One request and its response. Holds at most one connection at a time. Each connection is returned
 * to the pool or discarded exactly once, by whoever takes it out of {@code leasedConnection}: the
 * reader at the end of the body, or an abort on any thread. So closing an exchange late affects no
 * other exchange.
 */
final class HttpExchange implements Transport.Response {
  /**
   * The maximum number of bytes read to finish a body, so that its connection can be reused; the
   * connection of a longer body is closed.
   */
  private static final int MAX_LEFTOVER_BYTES = 4096;

  private static final Duration LEFTOVER_WAIT = Duration.ofMillis(10);
  private static final int MAX_LEFTOVER_READS = 16; // each may wait

  private final ConnectionPool pool;
  private final Transport.Request request;
  private final Cancellation.Registration registration;
  private final AtomicReference<@Nullable PooledConnection> leasedConnection =
      new AtomicReference<>();
  private final Content content = new Content();
  private @Nullable ClassicHttpResponse head;
  private volatile ConnectionPool.@Nullable Waiter waiter;
  private volatile boolean aborted;

  HttpExchange(ConnectionPool pool, Transport.Request request) {
    this.pool = pool;
    this.request = request;
    this.registration = request.cancellation().onCancel(this::abort);
  }

  /**
   * Sends the request and waits for the response head. The caller closes this if it fails.
   *
   * @param boundsReadsBySweep true if the pool's periodic sweep ends reads that wait too long;
   *     false if a socket timeout ends them
   */
  void open(
      UpstreamAddress upstreamAddress,
      ConnectionOptions connectionOptions,
      boolean boundsReadsBySweep)
      throws IOException, HttpException {
    while (head == null) {
      PooledConnection connection = lease(upstreamAddress.server());
      try {
        if (!connection.isConnected()) {
          connection.connect(upstreamAddress.server(), request.connectTimeout(), connectionOptions);
        }
        if (boundsReadsBySweep) {
          connection.boundReadsBySweep(request.readTimeout());
        } else {
          connection.boundReadsByTimeout(request.readTimeout());
        }
        connection.send(upstreamAddress, request);
        begin(connection, connection.receive());
      } catch (PooledConnection.UnsentException unsent) {
        discardConnection();
        if (aborted) {
          throw unsent;
        }
        // new connections never fail this way, so the loop ends after the idle ones
      } catch (IOException | HttpException failure) {
        discardConnection();
        if (aborted
            || request.method() != Transport.Method.GET
            || failure instanceof SocketTimeoutException
            || !connection.isClosedUnanswered()) {
          throw failure;
        }
        // a GET can be repeated safely
      }
    }
  }

  private PooledConnection lease(UpstreamAddress.Server server) throws IOException {
    if (aborted) {
      throw cancelled();
    }
    PooledConnection connection =
        pool.lease(server, request.poolKey(), request.connectTimeout(), this::setWaiter);
    leasedConnection.set(connection);
    if (aborted) {
      throw cancelled();
    }
    return connection;
  }

  private static InterruptedIOException cancelled() {
    return new InterruptedIOException("cancelled");
  }

  private void setWaiter(ConnectionPool.@Nullable Waiter newWaiter) {
    waiter = newWaiter;
    if (newWaiter != null && aborted) {
      newWaiter.cancel();
    }
  }

  private void begin(PooledConnection connection, ResponseHeadReader.Head responseHead) {
    head = responseHead.message();
    content.source = connection.body();
    if (content.source.isEnded()) {
      content.end();
    }
  }

  /** Aborts the exchange in any state. Any thread. */
  private void abort() {
    aborted = true;
    ConnectionPool.Waiter current = waiter;
    if (current != null) {
      current.cancel();
    }
    discardConnection();
  }

  private void discardConnection() {
    PooledConnection connection = leasedConnection.getAndSet(null);
    if (connection != null) {
      pool.discard(connection);
    }
  }

  private void release() {
    registration.close();
    PooledConnection connection = leasedConnection.getAndSet(null);
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
      throw new IllegalStateException("no response head was received");
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
    abort();
  }

  /** The body; at its end the connection is returned to the pool. */
  private final class Content extends InputStream {
    private @Nullable ConnectionBody source; // null once it has ended

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      ConnectionBody current = source;
      if (current == null) {
        return -1;
      }
      if (aborted) {
        throw cancelled();
      }
      try {
        int read = current.read(into, offset, length);
        if (read < 0) {
          end();
        }
        return read;
      } catch (IOException | RuntimeException exception) {
        discardConnection(); // the position in the stream is unknown
        throw MalformedResponse.toIOException(exception);
      }
    }

    @Override
    public int available() {
      return source == null ? 0 : source.available();
    }

    private void end() {
      source = null;
      release();
    }

    private void drain() {
      PooledConnection connection = leasedConnection.get();
      if (source == null || connection == null) {
        return;
      }
      try {
        connection.boundReadsByTimeout(LEFTOVER_WAIT);
        byte[] leftover = new byte[MAX_LEFTOVER_BYTES];
        int remaining = MAX_LEFTOVER_BYTES;
        for (int reads = 0;
            reads < MAX_LEFTOVER_READS && remaining > 0 && source != null;
            reads++) {
          remaining -= Math.max(0, read(leftover, 0, remaining));
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
