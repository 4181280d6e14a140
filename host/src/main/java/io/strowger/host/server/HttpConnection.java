package io.strowger.host.server;

import io.helidon.common.concurrency.limits.Limit;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.spi.ServerConnection;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 or HTTP/1.0 connection. Its requests are read, passed to {@link HttpExchangeHandler}
 * and answered one after the other.
 *
 * <p>Three kinds of threads use a connection. Its own virtual thread runs {@link #serve} and
 * handles the requests. The service thread of {@link ConnectionSweep} checks timeouts; while the
 * connection is busy, it also checks at every tick whether a request lasts so long that a watcher
 * must be started, which notices when the client goes away. Any thread may abort or close the
 * connection. There is no lock here: {@link ConnectionReader} and {@link ConnectionOutput} handle
 * what the threads do at the same time.
 */
final class HttpConnection implements ServerConnection {
  /**
   * The number of consecutive ticks without a request in progress after which the connection is no
   * longer busy: the sweep stops checking it at every tick.
   */
  private static final int MAX_IDLE_TICKS = 20;

  /** The most unread bytes that are dropped before a connection is closed. */
  private static final int MAX_DROPPED_BYTES = 64 * 1024;

  private static final String STOP_REASON = "the server stops";

  /** How long a connection may take to end after its client was given up; then it is aborted. */
  private static final Duration END_TIMEOUT = Duration.ofMillis(1500);

  private final Shared shared;
  private final ClientSocket socket;
  private final @Nullable InetAddress client;
  private final ConnectionReader reader;
  private final RequestFraming requests;
  private final AtomicBoolean isBusy = new AtomicBoolean(); // the sweep checks at every tick
  private int idleTicks; // consecutive ticks without a request; confined to the sweep
  private boolean isGivenUp; // the client sends or reads too slowly; confined to the sweep
  private long givenUpAt; // nanoTime; confined to the sweep
  private volatile @Nullable Thread thread; // null until the connection is served
  private volatile @Nullable Writing writing; // null until the connection is served
  private volatile @Nullable HttpServerExchange exchange; // null between requests

  /**
   * The objects and settings that all connections of a host share.
   *
   * @param maxBodyBytes the most bytes of a request body
   * @param clientTimeout how long a client may send or read nothing
   */
  record Shared(
      HttpExchangeHandler exchangeHandler,
      ConnectionSweep sweep,
      PendingConnections pending,
      long maxBodyBytes,
      Duration clientTimeout,
      Ambient ambient) {}

  /** The output and its timeout. */
  private record Writing(ConnectionOutput out, WriteTimeout timeout) {}

  /**
   * @param cost the memory that the connection is charged with: {@link
   *     PendingConnections#PLAIN_COST} or {@link PendingConnections#TLS_COST}
   * @param client null when it has no IP address
   */
  HttpConnection(Shared shared, ClientSocket socket, long cost, @Nullable InetAddress client) {
    this.shared = shared;
    this.socket = socket;
    this.client = client;
    this.reader = new ConnectionReader(socket, shared.clientTimeout(), shared.ambient());
    this.requests = new RequestFraming(reader, shared.pending(), cost, shared.maxBodyBytes());
  }

  @Override
  public void handle(Limit unused) {
    serve();
  }

  /**
   * Reads and answers requests until the connection has to be closed. May end with an exception of
   * the web server that says why.
   */
  void serve() {
    Thread current = Thread.currentThread();
    thread = current;
    var out = new ConnectionOutput(socket, current);
    writing = new Writing(out, new WriteTimeout(out, shared.clientTimeout()));
    shared.sweep().add(this);
    if (shared.exchangeHandler().refusesNew()) {
      // the web server may have closed all connections before this one was registered
      reader.stop(STOP_REASON);
    }
    try {
      for (RequestHead head = requests.nextHead(); head != null; head = requests.nextHead()) {
        shared.exchangeHandler().handle(beginExchange(head));
      }
    } catch (RequestException refused) {
      refuse(refused);
    } finally {
      exchange = null;
      reader.release();
      reader.dropUnread(MAX_DROPPED_BYTES);
      // closing a TLS connection writes a message and may wait for the client
      shared.sweep().remove(this, socket.channel());
    }
  }

  /**
   * Resets the connection, so that its client sees an error instead of a normal end. Bytes that the
   * client has not read may be lost.
   */
  void reset() {
    try {
      if (socket.channel() instanceof SocketChannel channel) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
    } catch (IOException closed) {
      // already closed by the client
    }
    ConnectionSweep.breakOff(socket.channel());
  }

  /** Begins the exchange of a request whose head was read. */
  private HttpServerExchange beginExchange(RequestHead head) {
    var cancellation = new Cancellation();
    var body = new RequestBody(head, this, () -> watch(cancellation));
    var newExchange = new HttpServerExchange(head, body, this, cancellation, out().bytesWritten());
    exchange = newExchange;
    body.begin();
    return newExchange;
  }

  /** Cancels the exchange when the client is gone, from now until the exchange ends. */
  private void watch(Cancellation cancellation) {
    boolean needsSweep = reader.watch(() -> cancellation.cancel(Cancellation.Cause.CALLER_GONE));
    if (needsSweep && !isBusy.get() && isBusy.compareAndSet(false, true)) {
      shared.sweep().addBusy(this);
    }
  }

  /** Answers a request that breaks the protocol; the connection is closed afterwards. */
  private void refuse(RequestException refused) {
    try {
      AnswerOutput.write(HttpError.answer(refused), out());
    } catch (IOException | UncheckedIOException e) {
      throw new CloseConnectionException("the client is gone", e);
    }
  }

  /** Ends the current exchange; its answer was written. */
  void endExchange() {
    reader.release();
    exchange = null;
  }

  /** Returns the exchange in progress; null when there is none. */
  @Nullable HttpServerExchange exchange() {
    return exchange;
  }

  RequestFraming requests() {
    return requests;
  }

  ConnectionReader reader() {
    return reader;
  }

  ConnectionOutput out() {
    return Objects.requireNonNull(writing, "not begun").out();
  }

  /** Returns the client's address; null when it has no IP address. */
  @Nullable InetAddress client() {
    return client;
  }

  /**
   * Checks the connection for the sweep, at every tick.
   *
   * @return false when the sweep need not check it until {@link ConnectionSweep#addBusy} is called
   *     again
   */
  boolean staysBusy() {
    if (reader.watchWhenSlow()) {
      idleTicks = 0;
      return true;
    }
    idleTicks++;
    if (idleTicks < MAX_IDLE_TICKS) {
      return true;
    }
    idleTicks = 0;
    isBusy.set(false);
    // a thread that begins a request first changes the reader and then reads isBusy; here it is the
    // other way round, so at least one of the two threads notices the other
    return reader.isUnwatched() && isBusy.compareAndSet(false, true);
  }

  /** Gives the client up if it sends or reads too slowly. Called by the sweep. */
  void checkTimeouts(long now) {
    requests.countWhenWaiting();
    reader.check(now);
    Writing current = writing;
    if (current != null) {
      current.timeout().check(exchange, now);
    }
    breakOffWhenGivenUp(current, now);
  }

  /**
   * Aborts the connection if it has not ended some time after the client was given up. With TLS a
   * reading thread can be blocked in a write to a client that does not read, and block the threads
   * that write or close; only aborting wakes them.
   */
  private void breakOffWhenGivenUp(@Nullable Writing current, long now) {
    if (!reader.isExpired() && (current == null || !current.out().isGivenUp())) {
      return;
    }
    if (!isGivenUp) {
      isGivenUp = true;
      givenUpAt = now;
    } else if (now - givenUpAt >= END_TIMEOUT.toNanos()) {
      breakOff();
    }
  }

  /**
   * Aborts the connection, even while threads read or write. Does not block. Safe on any thread.
   */
  void breakOff() {
    ConnectionSweep.breakOff(socket.channel());
  }

  /** Returns zero, so that the web server closes no idle connections; the sweep closes them. */
  @Override
  public Duration idleTime() {
    return Duration.ZERO;
  }

  @Override
  public void close(boolean interrupt) {
    reader.stop(STOP_REASON);
    Thread connectionThread = thread;
    if (interrupt && connectionThread != null) {
      connectionThread.interrupt();
    }
  }
}
