package io.strowger.providers.http;

import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.routing.RoutingSupport;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * The transport over Apache HttpClient 5: blocking, pooled, HTTP/1.1, TLS as the JDK is configured.
 * Redirects, retries, cookies, authentication and decompression are off: an adapter sees what the
 * upstream said. Starts no thread; a connection that idled is looked at before it is used again.
 *
 * <p>Cancelling aborts the exchange wherever it is: waiting for a connection, connecting, writing,
 * waiting for the head or reading. An unfinished exchange is never closed gracefully, which would
 * wait for the rest of the body.
 */
public final class ApacheTransport implements Transport {
  /** A connection idle for longer is checked before it is used again; the check takes 1 ms. */
  private static final TimeValue IDLE_UNCHECKED = TimeValue.ofSeconds(1);

  /** A head, or trailer, is kept in memory whole: it ends here, whatever the upstream does. */
  private static final Http1Config BOUNDED_HEAD =
      Http1Config.custom().setMaxLineLength(32 << 10).setMaxHeaderCount(200).build();

  private static final Duration IDLE_KEPT = Duration.ofSeconds(60);

  private final PoolingHttpClientConnectionManager connections;
  private final CloseableHttpClient client;

  /**
   * How many connections there may be.
   *
   * @param perRoute to one host and port; at least 1
   * @param total to all; at least {@code perRoute}
   */
  public record Limits(int perRoute, int total) {
    public static final Limits DEFAULT = new Limits(2000, 2000);

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
    connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setConnectionFactory(
                ManagedHttpClientConnectionFactory.builder().http1Config(BOUNDED_HEAD).build())
            .setMaxConnPerRoute(limits.perRoute())
            .setMaxConnTotal(limits.total())
            .setConnPoolPolicy(PoolReusePolicy.LIFO) // the rest idles out
            .setDefaultSocketConfig(SocketConfig.custom().setTcpNoDelay(true).build())
            .setDefaultConnectionConfig(
                ConnectionConfig.custom().setValidateAfterInactivity(IDLE_UNCHECKED).build())
            .build();
    client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setRequestExecutor(new WatchedExecutor())
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
   * @throws SocketTimeoutException when connecting, waiting for a connection of the pool, or one
   *     read took too long
   */
  @Override
  public Response send(Request request) throws IOException {
    var post = new HttpPost(request.uri());
    post.setConfig(config(request));
    for (Map.Entry<String, String> header : request.headers().entrySet()) {
      post.setHeader(header.getKey(), header.getValue());
    }
    post.setEntity(new WrittenEntity(request.body()));
    var context = HttpClientContext.create();
    Cancellation.Registration registration = request.cancellation().onCancel(post::cancel);
    ClassicHttpResponse response = null;
    try {
      response = client.executeOpen(RoutingSupport.determineHost(post), post, context);
      return new ApacheResponse(post, response, registration, WatchedExecutor.connection(context));
    } catch (ConnectionRequestTimeoutException noneFree) {
      throw timeout("no connection became free in time", noneFree);
    } catch (HttpException malformed) {
      throw new IOException("not HTTP: " + malformed.getMessage(), malformed);
    } catch (IllegalStateException closed) {
      throw new InterruptedIOException("the transport is closed");
    } finally {
      if (response == null) {
        registration.close();
      }
    }
  }

  private static SocketTimeoutException timeout(String message, Exception cause) {
    var timeout = new SocketTimeoutException(message);
    timeout.initCause(cause);
    return timeout;
  }

  @SuppressWarnings("deprecation") // its replacement is per route, ours differs per provider
  private static RequestConfig config(Request request) {
    Timeout connect = atLeastOneMs(request.connectTimeout());
    return RequestConfig.custom()
        .setConnectTimeout(connect)
        .setConnectionRequestTimeout(connect)
        .setResponseTimeout(atLeastOneMs(request.silence()))
        .setDefaultKeepAlive(IDLE_KEPT.toSeconds(), TimeUnit.SECONDS)
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

  @Override
  public void close() {
    connections.close(CloseMode.IMMEDIATE);
    client.close(CloseMode.IMMEDIATE);
  }
}
