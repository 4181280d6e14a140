package io.strowger.host.server;

import io.helidon.common.socket.SocketOptions;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * An engine served over HTTP/1.1 under {@value #ROOT}: every request becomes one call of a
 * function, on a virtual thread of its own.
 *
 * <p>A client that goes away while its request is worked on trips the request's {@link
 * Cancellation}, also while nothing is being written to it. The web server keeps one idle daemon
 * thread per server of its own until the process ends.
 */
public final class HttpHost implements AutoCloseable {
  /** Where the paths of the contract begin. */
  public static final String ROOT = "/api/v1";

  private static final int MAX_HEADER_BYTES = 32 * 1024;
  private static final int MAX_REQUEST_LINE = 8 * 1024;
  private static final Duration AFTER_CANCEL = Duration.ofSeconds(2);

  private final WebServer server;
  private final Exchanges exchanges;
  private final Settings settings;
  private final Ambient ambient;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param host name or address to listen on
   * @param port 0 to 65535; 0 picks a free one
   * @param maxRequestBytes a backstop: the largest body of any request, more is refused with 413
   *     before it is looked at; at least 1. The engine has its own, smaller limits
   * @param drain how long requests that run may go on after {@link HttpHost#close()}; not negative
   * @param patience how long a client may be silent in the middle of its request; positive
   */
  public record Settings(
      String host, int port, long maxRequestBytes, Duration drain, Duration patience) {
    /** With usual patience. */
    public Settings(String host, int port, long maxRequestBytes, Duration drain) {
      this(host, port, maxRequestBytes, drain, Duration.ofSeconds(30));
    }

    public Settings {
      Objects.requireNonNull(host, "host");
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port must be 0 to 65535, was " + port);
      }
      if (maxRequestBytes < 1) {
        throw new IllegalArgumentException(
            "maxRequestBytes must be at least 1, was " + maxRequestBytes);
      }
      if (drain.isNegative()) {
        throw new IllegalArgumentException("drain must not be negative, was " + drain);
      }
      if (!patience.isPositive()) {
        throw new IllegalArgumentException("patience must be positive, was " + patience);
      }
    }
  }

  private HttpHost(WebServer server, Exchanges exchanges, Settings settings, Ambient ambient) {
    this.server = server;
    this.exchanges = exchanges;
    this.settings = settings;
    this.ambient = ambient;
  }

  /**
   * Listens. When it returns, requests are answered.
   *
   * @param api called once per request, concurrently; its answers are streamed as they come
   * @throws IOException when the address is not to be had; its message says why
   */
  public static HttpHost start(
      Function<WireRequest, WireResponse> api, Settings settings, Ambient ambient)
      throws IOException {
    InetAddress address = address(settings);
    var exchanges = new Exchanges(api, ambient);
    WebServer server = server(address, settings, exchanges, ambient).start();
    if (!server.isRunning()) {
      throw new IOException(
          "cannot listen on %s:%d: %s"
              .formatted(settings.host(), settings.port(), reason(address, settings.port())));
    }
    return new HttpHost(server, exchanges, settings, ambient);
  }

  private static InetAddress address(Settings settings) throws IOException {
    try {
      return InetAddress.getByName(settings.host());
    } catch (UnknownHostException e) {
      throw new IOException("cannot listen on %s: no such host".formatted(settings.host()), e);
    }
  }

  private static WebServer server(
      InetAddress address, Settings settings, Exchanges exchanges, Ambient ambient) {
    Http1Config http =
        Http1Config.builder()
            .maxHeadersSize(MAX_HEADER_BYTES)
            .maxPrologueLength(MAX_REQUEST_LINE)
            .sendKeepAliveHeader(false)
            // a client that asks first is told to send when its credential was found good
            .continueImmediately(false)
            .build();
    return WebServer.builder()
        .address(address)
        .port(settings.port())
        .maxPayloadSize(settings.maxRequestBytes())
        .shutdownHook(false)
        .featuresDiscoverServices(false)
        .protocolsDiscoverServices(false)
        .addConnectionSelector(new WatchedConnections(http, settings.patience(), ambient))
        .contentEncoding(
            ContentEncodingContext.builder().contentEncodingsDiscoverServices(false).build())
        // without it streams stall for a delayed acknowledgement
        .connectionOptions(SocketOptions.builder().tcpNoDelay(true).build())
        .shutdownGracePeriod(settings.drain().plus(AFTER_CANCEL))
        .directHandlers(Refusals.inTheContractsEnvelope())
        .routing(HttpRouting.builder().any(exchanges))
        .build();
  }

  /** The server only says that it failed; what failed is found by trying. */
  private static String reason(InetAddress address, int port) {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(address, port));
      return "the server did not start";
    } catch (IOException e) {
      return Objects.requireNonNullElse(e.getMessage(), e.toString());
    }
  }

  /** The port it listens on. */
  public int port() {
    return server.port();
  }

  /** Where the API begins, such as {@code http://127.0.0.1:8080/api/v1}. */
  public URI uri() {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    return URI.create("http://" + host + ":" + port() + ROOT);
  }

  /**
   * Stops: no new requests; those that run go on for the drain time, then they are cancelled.
   * Returns when the last is over. Repeatable.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    exchanges.refuseNew();
    var stopped = new CountDownLatch(1);
    ambient.start("drain", () -> cancelLate(stopped));
    try {
      server.stop();
    } finally {
      stopped.countDown();
    }
  }

  private void cancelLate(CountDownLatch stopped) {
    try {
      if (!stopped.await(settings.drain().toNanos(), TimeUnit.NANOSECONDS)) {
        exchanges.cancelAll(Cancellation.Cause.SHUTDOWN);
      }
    } catch (InterruptedException e) {
      exchanges.cancelAll(Cancellation.Cause.SHUTDOWN);
    }
  }
}
