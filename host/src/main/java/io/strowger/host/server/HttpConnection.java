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
 * A connection of HTTP/1.1 or 1.0: one request after the other is read, handed to {@link
 * HttpExchangeHandler} and answered, on one virtual thread. What others do to it meanwhile is in
 * {@link ConnectionReader} and {@link ConnectionOutput}.
 */
final class HttpConnection implements ServerConnection {
  /** So often in a row a connection without a request in work is looked at before it rests. */
  private static final int LOOKS = 20;

  /** So much that nobody reads any more is dropped before a connection is closed. */
  private static final int DROPPED = 64 * 1024;

  private static final String STOPS = "the server stops";

  /** So long after its client was given up a connection may take to end by itself. */
  private static final Duration ENDS_WITHIN = Duration.ofMillis(1500);

  private final Shared shared;
  private final ClientSocket socket;
  private final @Nullable InetAddress client;
  private final ConnectionReader reader;
  private final RequestFraming requests;
  private final AtomicBoolean busy = new AtomicBoolean(); // the sweep looks at each tick
  private int looks; // of the sweep, in vain
  private boolean givenUp; // as the sweep saw it, and it alone
  private long givenUpAt;
  private volatile @Nullable Thread thread;
  private volatile @Nullable Writing writing;
  private volatile @Nullable HttpServerExchange exchange;

  /**
   * What all connections of a host have in common.
   *
   * @param largestBody the most bytes of a body
   * @param patience with a client that sends or reads slowly
   */
  record Shared(
      HttpExchangeHandler exchanges,
      ConnectionSweep sweep,
      PendingConnections heads,
      long largestBody,
      Duration patience,
      Ambient ambient) {}

  /** The output and how long it may take. */
  private record Writing(ConnectionOutput out, WriteTimeout timeout) {}

  /**
   * @param cost of its memory, {@link PendingConnections#PLAIN} or {@link PendingConnections#TLS}
   * @param client null when it has no address of the network
   */
  HttpConnection(Shared shared, ClientSocket socket, long cost, @Nullable InetAddress client) {
    this.shared = shared;
    this.socket = socket;
    this.client = client;
    this.reader = new ConnectionReader(socket, shared.patience(), shared.ambient());
    this.requests = new RequestFraming(reader, shared.heads(), cost, shared.largestBody());
  }

  @Override
  public void handle(Limit unused) {
    serve();
  }

  /** Serves the connection until it has to be closed; an exception of the web server says why. */
  void serve() {
    Thread me = Thread.currentThread();
    thread = me;
    var out = new ConnectionOutput(socket, me);
    writing = new Writing(out, new WriteTimeout(out, shared.patience()));
    shared.sweep().add(this);
    if (shared.exchanges().refusesNew()) {
      // the web server may have told all connections before it knew of this one
      reader.stop(STOPS);
    }
    try {
      for (RequestHead head = requests.nextHead(); head != null; head = requests.nextHead()) {
        shared.exchanges().handle(begun(head));
      }
    } catch (RequestException refused) {
      refuse(refused);
    } finally {
      exchange = null;
      reader.release();
      reader.dropArrived(DROPPED);
      // closing says good-bye in TLS, and may have to wait for the client
      shared.sweep().remove(this, socket.channel());
    }
  }

  /** Closes the connection so that its client is told that it broke; what is unread may be lost. */
  void reset() {
    try {
      if (socket.channel() instanceof SocketChannel channel) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
    } catch (IOException closed) {
      // the client was faster
    }
    ConnectionSweep.breakOff(socket.channel());
  }

  private HttpServerExchange begun(RequestHead head) {
    var cancellation = new Cancellation();
    var body = new RequestBody(head, this, () -> watch(cancellation));
    var begun = new HttpServerExchange(head, body, this, cancellation, out().written());
    exchange = begun;
    body.begin();
    return begun;
  }

  private void watch(Cancellation cancellation) {
    boolean slowly = reader.watch(() -> cancellation.cancel(Cancellation.Cause.CALLER_GONE));
    if (slowly && !busy.get() && busy.compareAndSet(false, true)) {
      shared.sweep().addBusy(this);
    }
  }

  private void refuse(RequestException refused) {
    try {
      AnswerOutput.write(ProtocolErrorResponder.answer(refused.status()), out());
    } catch (IOException | UncheckedIOException e) {
      throw new CloseConnectionException("the client is gone", e);
    }
  }

  /** The answer to the request was written. */
  void ended() {
    reader.release();
    exchange = null;
  }

  /** Returns the request that is being worked on; null when none is. */
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

  /** Returns the address the connection comes from; null when it has none of the network. */
  @Nullable InetAddress client() {
    return client;
  }

  /** The sweep looks at a tick; returns false when it need not until it is told again. */
  boolean staysBusy() {
    if (reader.watchWhenSlow()) {
      looks = 0;
      return true;
    }
    looks++;
    if (looks < LOOKS) {
      return true;
    }
    looks = 0;
    busy.set(false);
    // whoever begins a request meanwhile looks at the two the other way round
    return reader.isUnwatched() && busy.compareAndSet(false, true);
  }

  /** The sweep looks whether the client is too slow. */
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
   * A client that makes TLS talk and does not listen holds whoever reads in a write, and whoever
   * writes or closes behind it; nothing gentler wakes them.
   */
  private void breakOffWhenGivenUp(@Nullable Writing current, long now) {
    if (!reader.isExpired() && (current == null || !current.out().isGivenUp())) {
      return;
    }
    if (!givenUp) {
      givenUp = true;
      givenUpAt = now;
    } else if (now - givenUpAt >= ENDS_WITHIN.toNanos()) {
      breakOff();
    }
  }

  /** Closes the connection without a word, whoever reads or writes. Does not wait; any thread. */
  void breakOff() {
    ConnectionSweep.breakOff(socket.channel());
  }

  /** The web server asks in order to close connections that rest; the sweep does that. */
  @Override
  public Duration idleTime() {
    return Duration.ZERO;
  }

  @Override
  public void close(boolean interrupt) {
    reader.stop(STOPS);
    Thread running = thread;
    if (interrupt && running != null) {
      running.interrupt();
    }
  }
}
