package io.strowger.providers.http;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * A transport over Apache HttpCore 5: blocking, pooled, HTTP/1.1, with TLS as the JDK is
 * configured. It does not follow redirects, keep cookies, authenticate or decompress: an adapter
 * sees the upstream's response as it is. It repeats a request only when a reused connection turns
 * out to be closed: before anything of the request was sent, or before any answer to a GET. Starts
 * threads only once {@link #startSweeping} is called. Decision 32.
 *
 * <p>A connection is reused only if its upstream has sent nothing since its last response, and only
 * by requests with an equal {@link Request#poolKey()}. HTTP/2 is not used.
 *
 * <p>The owner of a transport calls {@link #startSweeping}, so that connections that upstreams
 * close or write to unasked are closed soon after. Without the sweep this is noticed only before
 * such a connection would be reused. The sweep also ends reads that wait too long, to within a
 * quarter of a second; without it each read has a socket timeout, which costs a timer.
 *
 * <p>Cancelling aborts the exchange wherever it is: waiting for a connection, connecting, writing,
 * waiting for the head or reading. An unfinished exchange is never closed gracefully, which would
 * wait for the rest of the body.
 */
public final class ApacheTransport implements Transport {
  private static final System.Logger log = System.getLogger(ApacheTransport.class.getName());

  private static final TimeValue IDLE_TIMEOUT = TimeValue.ofSeconds(60);

  /** How often idle connections are checked for upstreams that close them or write unasked. */
  private static final Duration SWEEP_INTERVAL = Duration.ofMillis(250);

  private static final int MAX_ADDRESSES = 1024; // a gateway has a few hundred

  private final ConnectionPool connections;
  private final ConnectionOptions connectionOptions;
  private final ConcurrentMap<URI, UpstreamAddress> addresses = new ConcurrentHashMap<>();
  private final AtomicBoolean sweepRequested = new AtomicBoolean();
  private volatile boolean sweeping; // while the sweep runs, reads have no socket timeout
  private volatile @Nullable Thread sweeper;

  /**
   * The maximum number of connections. A request that finds none free waits for up to its connect
   * timeout, then fails with {@link NoFreeConnectionException}. Keep it above the number of
   * requests that the gateway admits, so that the gateway's own limits decide which requests wait
   * and which are refused.
   *
   * @param perServer the limit for one host and port; at least 1
   * @param total the limit for all hosts; at least {@code perServer}
   */
  public record Limits(int perServer, int total) {
    /** No limit except the gateway's own limit of requests in flight. */
    public static final Limits DEFAULT = new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE);

    public Limits {
      if (perServer < 1) {
        throw new IllegalArgumentException("perServer must be at least 1, was " + perServer);
      }
      if (total < perServer) {
        throw new IllegalArgumentException(
            "total must be at least perServer (" + perServer + "), was " + total);
      }
    }
  }

  public ApacheTransport() {
    this(Limits.DEFAULT);
  }

  public ApacheTransport(Limits limits) {
    this(limits, TlsContext.ofJdk(), IDLE_TIMEOUT, ConnectionOptions.HostResolver.unrestricted());
  }

  /**
   * Creates a transport for addresses chosen by callers, models and web sites: it connects only
   * where the rules allow, and checks the resolved addresses for every connection.
   */
  public ApacheTransport(Limits limits, AddressRules rules) {
    this(limits, TlsContext.ofJdk(), IDLE_TIMEOUT, new BoundedHostResolver(rules));
  }

  /**
   * Creates a transport for addresses that callers, models and web sites choose.
   *
   * @param security decides which servers are trusted
   */
  public ApacheTransport(Limits limits, SSLContext security, AddressRules rules) {
    this(limits, new TlsContext(() -> security), IDLE_TIMEOUT, new BoundedHostResolver(rules));
  }

  /**
   * @param security decides which upstreams are trusted
   */
  public ApacheTransport(Limits limits, SSLContext security) {
    this(
        limits,
        new TlsContext(() -> security),
        IDLE_TIMEOUT,
        ConnectionOptions.HostResolver.unrestricted());
  }

  /**
   * @param idleTimeout how long an idle connection is kept for reuse
   */
  ApacheTransport(Limits limits, TlsContext tls, TimeValue idleTimeout) {
    this(limits, tls, idleTimeout, ConnectionOptions.HostResolver.unrestricted());
  }

  private ApacheTransport(
      Limits limits, TlsContext tls, TimeValue idleTimeout, ConnectionOptions.HostResolver hosts) {
    this.connections = new ConnectionPool(limits, idleTimeout);
    this.connectionOptions = new ConnectionOptions(tls, hosts);
  }

  /**
   * {@inheritDoc}
   *
   * @throws SocketTimeoutException when connecting or one read took too long
   */
  @Override
  public Response send(Request request) throws IOException {
    var exchange = new HttpExchange(connections, request);
    boolean succeeded = false;
    try {
      exchange.open(address(request), connectionOptions, sweeping);
      succeeded = true;
      return exchange;
    } catch (IOException | HttpException | RuntimeException exception) {
      if (connections.isClosed()) {
        throw closedException(exception);
      }
      throw MalformedResponse.toIOException(exception);
    } finally {
      if (!succeeded) {
        exchange.close();
      }
    }
  }

  /**
   * Returns the address; caches those of POST requests only, since a GET rarely repeats its URI.
   */
  private UpstreamAddress address(Request request) throws IOException {
    URI uri = request.uri();
    if (request.method() != Method.POST || request.body() == null) {
      return UpstreamAddress.of(request.method(), uri);
    }
    UpstreamAddress cached = addresses.get(uri);
    if (cached == null) {
      cached = UpstreamAddress.of(Method.POST, uri);
      if (addresses.size() < MAX_ADDRESSES) {
        addresses.put(uri, cached);
      }
    }
    return cached;
  }

  private static InterruptedIOException closedException(Exception cause) {
    var exception = new InterruptedIOException("the transport is closed");
    exception.initCause(cause);
    return exception;
  }

  /**
   * Loads the certificates that the JDK trusts, if they are not loaded yet. Without this, the first
   * call over TLS waits until they are loaded. Safe on any thread.
   *
   * @throws IllegalStateException when TLS cannot be set up
   */
  public void prepareTls() {
    try {
      connectionOptions.tls().get();
    } catch (SSLException unusable) {
      throw new IllegalStateException(unusable.getMessage(), unusable);
    }
  }

  /** Returns the number of connections in use by unfinished exchanges. */
  public int leasedCount() {
    return connections.leasedCount();
  }

  /** Returns the number of idle connections. */
  public int idleCount() {
    return connections.idleCount();
  }

  /**
   * Closes every idle connection that its upstream has closed or written to unasked, and those that
   * idled too long. Such connections would not be reused anyway; a sweep closes them sooner. Cheap,
   * and may be called at any time.
   */
  public void sweep() {
    connections.sweep();
  }

  /**
   * Starts a service that sweeps four times a second until this transport is closed. With address
   * rules, also bounds name look-ups in time, on threads of their own. May be called repeatedly;
   * only the first call has an effect.
   */
  public void startSweeping(Ambient ambient) {
    if (sweepRequested.compareAndSet(false, true)) {
      if (connectionOptions.hostResolver() instanceof BoundedHostResolver lookups) {
        lookups.enableTimeLimit(ambient);
      }
      sweeper = ambient.startService("connection-sweep", () -> sweepUntilClosed(ambient));
      sweeping = true;
    }
  }

  private void sweepUntilClosed(Ambient ambient) {
    try {
      while (!connections.isClosed()) {
        ambient.sleep(SWEEP_INTERVAL);
        sweepOnce(ambient);
      }
    } catch (InterruptedException closed) {
      // nothing is left to sweep
    } finally {
      sweeping = false;
    }
  }

  /** Sweeps once; failures are logged, since nothing else ends reads that are silent too long. */
  private void sweepOnce(Ambient ambient) {
    try {
      sweep();
      connections.endSilence(ambient.nanoTime());
    } catch (RuntimeException | Error bug) {
      log.log(
          System.Logger.Level.ERROR,
          "sweeping the connections failed; the next sweep tries again",
          bug);
    }
  }

  @Override
  public void close() {
    connections.close();
    Thread thread = sweeper;
    if (thread != null) {
      thread.interrupt();
    }
  }
}
