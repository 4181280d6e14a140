package io.strowger.providers.http;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.routing.RoutingSupport;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The transport over Apache HttpClient 5: blocking, pooled, HTTP/1.1, TLS as the JDK is configured.
 * Redirects, retries, cookies, authentication and decompression are off: an adapter sees what the
 * upstream said. Starts no thread but that of {@link #sweepBy}.
 *
 * <p>A connection is used again only when its upstream has said nothing since its last response,
 * and only by requests with an equal {@link Request#poolKey()}. HTTP/2 is not used.
 *
 * <p>Whoever makes one calls {@link #sweepBy}, so that connections on which upstreams speak unasked
 * or hang up are closed soon after. Without it they are found when they would be used again.
 *
 * <p>Cancelling aborts the exchange wherever it is: waiting for a connection, connecting, writing,
 * waiting for the head or reading. An unfinished exchange is never closed gracefully, which would
 * wait for the rest of the body.
 */
public final class ApacheTransport implements Transport {
  private static final TimeValue IDLE_KEPT = TimeValue.ofSeconds(60);

  /** How soon a waiting connection is closed on which its upstream speaks, or hangs up. */
  private static final Duration SWEEP = Duration.ofMillis(250);

  private final ConnectionPool connections;
  private final CloseableHttpClient client;
  private final AtomicBoolean swept = new AtomicBoolean();
  private volatile @Nullable Thread sweeper;

  /**
   * How many connections there may be. A request that finds none waits as long as it may take to
   * connect, and fails with {@link NoConnectionFree} then. Keep this above the number of requests
   * that the gateway lets in, so that its own limits decide who waits and who is refused.
   *
   * @param perRoute to one host and port; at least 1
   * @param total to all; at least {@code perRoute}
   */
  public record Limits(int perRoute, int total) {
    /** No limit beside the gateway's own, of requests in flight. */
    public static final Limits DEFAULT = new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE);

    public Limits {
      if (perRoute < 1) {
        throw new IllegalArgumentException("perRoute must be at least 1, was " + perRoute);
      }
      if (total < perRoute) {
        throw new IllegalArgumentException(
            "total must be at least perRoute (" + perRoute + "), was " + total);
      }
    }
  }

  public ApacheTransport() {
    this(Limits.DEFAULT);
  }

  public ApacheTransport(Limits limits) {
    this(limits, SSLContexts.createDefault());
  }

  /**
   * @param security decides which upstreams are trusted
   */
  public ApacheTransport(Limits limits, SSLContext security) {
    this(limits, security, IDLE_KEPT);
  }

  /**
   * @param idleKept how long a connection waits to be used again
   */
  ApacheTransport(Limits limits, SSLContext security, TimeValue idleKept) {
    connections = ConnectionPool.of(limits.perRoute(), limits.total(), security);
    client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setRequestExecutor(new WatchedExecutor())
            .setKeepAliveStrategy((response, context) -> idleKept)
            .disableRedirectHandling()
            .disableAutomaticRetries()
            .disableCookieManagement()
            .disableContentCompression()
            .disableAuthCaching()
            .disableConnectionState()
            .disableDefaultUserAgent()
            .build();
  }

  /**
   * {@inheritDoc}
   *
   * @throws SocketTimeoutException when connecting or one read took too long
   */
  @Override
  public Response send(Request request) throws IOException {
    while (true) {
      try {
        return sendOnce(request);
      } catch (PooledConnection.Unsent used) {
        if (request.cancellation().isCancelled()) {
          throw used;
        }
        // a connection that was never used is not refused so: this ends with the used ones
      }
    }
  }

  private Response sendOnce(Request request) throws IOException {
    var post = new HttpPost(request.uri());
    HttpHost host = host(post);
    post.setConfig(config(request));
    for (Map.Entry<String, String> header : request.headers().entrySet()) {
      post.setHeader(header.getKey(), header.getValue());
    }
    post.setEntity(new WrittenEntity(request.body()));
    var context = HttpClientContext.create();
    context.setUserToken(request.poolKey());
    Cancellation.Registration registration = request.cancellation().onCancel(post::cancel);
    ClassicHttpResponse response = null;
    try {
      response = client.executeOpen(host, post, context);
      return new ApacheResponse(post, response, registration, WatchedExecutor.connection(context));
    } catch (ConnectionRequestTimeoutException noneFree) {
      throw new NoConnectionFree(noneFree);
    } catch (IOException | RuntimeException broken) {
      if (connections.isClosed()) {
        throw closed(broken);
      }
      throw Malformed.orSame(broken);
    } finally {
      if (response == null) {
        registration.close();
      }
    }
  }

  private static HttpHost host(HttpPost post) throws IOException {
    try {
      return RoutingSupport.determineHost(post);
    } catch (HttpException unnamed) {
      throw new IOException("no host in " + post.getRequestUri(), unnamed);
    }
  }

  private static InterruptedIOException closed(Exception cause) {
    var closed = new InterruptedIOException("the transport is closed");
    closed.initCause(cause);
    return closed;
  }

  @SuppressWarnings("deprecation") // its replacement is per route, ours differs per provider
  private static RequestConfig config(Request request) {
    Timeout connect = atLeastOneMs(request.connectTimeout());
    return RequestConfig.custom()
        .setConnectTimeout(connect)
        .setConnectionRequestTimeout(connect)
        .setResponseTimeout(atLeastOneMs(request.silence()))
        .setAuthenticationEnabled(false)
        .setRedirectsEnabled(false)
        .setContentCompressionEnabled(false)
        .setProtocolUpgradeEnabled(false)
        .build();
  }

  /** Zero would mean for ever. */
  private static Timeout atLeastOneMs(Duration time) {
    return Timeout.ofMilliseconds(Math.max(1, time.toMillis()));
  }

  /** Connections that are in use now, those of unfinished exchanges. */
  public int leased() {
    return connections.getTotalStats().getLeased();
  }

  /** Connections that wait to be used again. */
  public int idle() {
    return connections.getTotalStats().getAvailable();
  }

  /**
   * Closes every waiting connection whose upstream has closed it or has said something unasked, and
   * those that waited too long. None of them would be used again; this ends them sooner. Cheap, and
   * may be called at any time.
   */
  public void sweep() {
    connections.sweep();
  }

  /**
   * Starts a service that sweeps four times a second until this transport is closed. Any number of
   * times; the first one counts.
   */
  public void sweepBy(Ambient ambient) {
    if (swept.compareAndSet(false, true)) {
      sweeper = ambient.startService("connection-sweep", () -> keepSweeping(ambient));
    }
  }

  private void keepSweeping(Ambient ambient) {
    try {
      while (!connections.isClosed()) {
        ambient.sleep(SWEEP);
        sweep();
      }
    } catch (InterruptedException closed) {
      // nothing is left to sweep
    }
  }

  @Override
  public void close() {
    connections.close(CloseMode.IMMEDIATE);
    client.close(CloseMode.IMMEDIATE);
    Thread running = sweeper;
    if (running != null) {
      running.interrupt();
    }
  }
}
