package io.strowger.host.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import io.strowger.core.Readiness;
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
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves an engine over HTTP/1.1 and HTTP/1.0, with or without TLS, under {@value #ROOT}. Every
 * request becomes one call of a function, on the virtual thread of its connection.
 *
 * <p>A client that goes away while its request is in progress triggers the request's {@link
 * Cancellation}, even while nothing is being written to it. For each host the web server keeps one
 * idle daemon thread until the process ends.
 */
public final class HttpHost implements AutoCloseable {
  /** The prefix of all paths of the contract. */
  public static final String ROOT = "/api/v1";

  /** How long requests that were cancelled at the end of the drain time may take to end. */
  private static final Duration AFTER_CANCEL = Duration.ofSeconds(2);

  private final WebServer server;
  private final HttpExchangeHandler exchangeHandler;
  private final Probes probes;
  private final ConnectionSweep sweep;
  private final @Nullable AdminListener admin;
  private final Settings settings;
  private final Ambient ambient;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * The settings of a host.
   *
   * @param host name or address to listen on
   * @param port 0 to 65535; 0 picks a free one
   * @param maxRequestBytes the largest body of any request; at least 1. A larger one is refused
   *     with 413 before the engine sees it. The engine has its own, smaller limits
   * @param drain how long requests in progress may continue after {@link HttpHost#close()}; not
   *     negative
   * @param drainDelay how long {@link HttpHost#close()} still accepts requests before the host
   *     stops listening; not negative
   * @param clientTimeout how long a client may send nothing in the middle of its request, or read
   *     nothing of its answer; positive
   * @param certificate null for HTTP without TLS
   * @param admin an additional address that serves probes and {@code /admin/} on platform threads;
   *     null for none
   * @param corsOrigins origins whose pages may call the API from a browser; {@code *} for all
   */
  public record Settings(
      String host,
      int port,
      long maxRequestBytes,
      Duration drain,
      Duration drainDelay,
      Duration clientTimeout,
      @Nullable ServedCertificate certificate,
      @Nullable InetSocketAddress admin,
      List<String> corsOrigins) {
    /** Creates settings without CORS. */
    public Settings(
        String host,
        int port,
        long maxRequestBytes,
        Duration drain,
        Duration drainDelay,
        Duration clientTimeout,
        @Nullable ServedCertificate certificate,
        @Nullable InetSocketAddress admin) {
      this(
          host,
          port,
          maxRequestBytes,
          drain,
          drainDelay,
          clientTimeout,
          certificate,
          admin,
          List.of());
    }

    /** Creates settings without an admin address and without CORS. */
    public Settings(
        String host,
        int port,
        long maxRequestBytes,
        Duration drain,
        Duration drainDelay,
        Duration clientTimeout,
        @Nullable ServedCertificate certificate) {
      this(host, port, maxRequestBytes, drain, drainDelay, clientTimeout, certificate, null);
    }

    /** Creates settings without TLS and drain delay, with a client timeout of 30 seconds. */
    public Settings(String host, int port, long maxRequestBytes, Duration drain) {
      this(host, port, maxRequestBytes, drain, Duration.ofSeconds(30));
    }

    /** Creates settings without TLS and drain delay. */
    public Settings(
        String host, int port, long maxRequestBytes, Duration drain, Duration clientTimeout) {
      this(host, port, maxRequestBytes, drain, Duration.ZERO, clientTimeout, null);
    }

    public Settings {
      Objects.requireNonNull(host, "host");
      corsOrigins = List.copyOf(corsOrigins);
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
      if (drainDelay.isNegative()) {
        throw new IllegalArgumentException("drainDelay must not be negative, was " + drainDelay);
      }
      if (!clientTimeout.isPositive()) {
        throw new IllegalArgumentException("clientTimeout must be positive, was " + clientTimeout);
      }
    }
  }

  private HttpHost(
      WebServer server,
      HttpExchangeHandler httpExchangeHandler,
      Probes probes,
      ConnectionSweep sweep,
      @Nullable AdminListener admin,
      Settings settings,
      Ambient ambient) {
    this.server = server;
    this.admin = admin;
    this.exchangeHandler = httpExchangeHandler;
    this.probes = probes;
    this.sweep = sweep;
    this.settings = settings;
    this.ambient = ambient;
  }

  /**
   * Starts a host. When this method returns, the host listens and answers requests.
   *
   * @param api called once per request, concurrently; its answers are streamed as they come
   * @throws IOException when the address cannot be bound; its message says why
   */
  public static HttpHost start(
      Function<WireRequest, WireResponse> api, Settings settings, Ambient ambient)
      throws IOException {
    return start(api, () -> Readiness.READY, settings, ambient);
  }

  /**
   * Starts a host. When this method returns, the host listens and answers requests.
   *
   * @param api called once per request, concurrently; its answers are streamed as they come
   * @param readiness returns what {@code /readyz} reports while the host is not draining; asked
   *     once per probe, concurrently, and must not block
   * @throws IOException when the address cannot be bound; its message says why
   */
  public static HttpHost start(
      Function<WireRequest, WireResponse> api,
      Supplier<Readiness> readiness,
      Settings settings,
      Ambient ambient)
      throws IOException {
    return start(api, readiness, null, settings, ambient);
  }

  /**
   * Starts a host. When this method returns, the host listens and answers requests.
   *
   * @param api called once per request, concurrently; its answers are streamed as they come
   * @param readiness returns what {@code /readyz} reports while the host is not draining; asked
   *     once per probe, concurrently, and must not block
   * @param metrics served at {@code /metrics} on {@link Settings#admin} and nowhere else; the
   *     caller closes the page. Null when metrics are not served
   * @throws IOException when the address cannot be bound; its message says why
   */
  public static HttpHost start(
      Function<WireRequest, WireResponse> api,
      Supplier<Readiness> readiness,
      @Nullable MetricsPage metrics,
      Settings settings,
      Ambient ambient)
      throws IOException {
    return start(
        new Handlers(api, readiness, metrics), settings, PendingConnections.ofHeap(), ambient);
  }

  /** What is served; see the parameters of {@link #start}. */
  private record Handlers(
      Function<WireRequest, WireResponse> api,
      Supplier<Readiness> readiness,
      @Nullable MetricsPage metrics) {}

  static HttpHost start(
      Function<WireRequest, WireResponse> api,
      Supplier<Readiness> readiness,
      Settings settings,
      PendingConnections pending,
      Ambient ambient)
      throws IOException {
    return start(new Handlers(api, readiness, null), settings, pending, ambient);
  }

  private static HttpHost start(
      Handlers handlers, Settings settings, PendingConnections pending, Ambient ambient)
      throws IOException {
    InetAddress address = address(settings);
    var probes = new Probes(handlers.readiness());
    var sweep = new ConnectionSweep(ambient);
    var httpExchangeHandler =
        new HttpExchangeHandler(handlers.api(), probes, new CrossOrigin(settings.corsOrigins()));
    InetSocketAddress adminAddress = settings.admin();
    AdminListener admin =
        adminAddress == null
            ? null
            : AdminListener.start(
                adminAddress, handlers.api(), probes, handlers.metrics(), ambient);
    WebServer server = null;
    HttpHost host = null;
    try {
      var shared =
          new HttpConnection.Shared(
              httpExchangeHandler,
              sweep,
              pending,
              settings.maxRequestBytes(),
              settings.clientTimeout(),
              ambient);
      server = server(address, settings, shared).start();
      if (!server.isRunning()) {
        throw new IOException(
            "cannot listen on %s:%d: %s"
                .formatted(settings.host(), settings.port(), reason(address, settings.port())));
      }
      sweep.start();
      host = new HttpHost(server, httpExchangeHandler, probes, sweep, admin, settings, ambient);
      return host;
    } finally {
      if (host == null) {
        closeAll(server, sweep, admin);
      }
    }
  }

  /** Closes the parts of a host that could not be started. */
  private static void closeAll(
      @Nullable WebServer server, ConnectionSweep sweep, @Nullable AdminListener admin) {
    try (admin) {
      sweep.close();
      if (server != null) {
        server.stop();
      }
    }
  }

  private static InetAddress address(Settings settings) throws IOException {
    try {
      return InetAddress.getByName(settings.host());
    } catch (UnknownHostException e) {
      throw new IOException(
          "cannot listen on %s: unknown host; check server.host".formatted(settings.host()), e);
    }
  }

  private static WebServer server(
      InetAddress address, Settings settings, HttpConnection.Shared shared) {
    var builder = WebServer.builder();
    if (settings.certificate() != null) {
      builder.tls(settings.certificate().tls());
    }
    var sockets = new AcceptedSockets();
    return builder
        .address(address)
        .port(settings.port())
        .shutdownHook(false)
        .featuresDiscoverServices(false)
        .protocolsDiscoverServices(false)
        .addConnectionSelector(new HttpConnections(shared, sockets))
        .connectionOptions(sockets)
        .shutdownGracePeriod(settings.drain().plus(AFTER_CANCEL))
        .build();
  }

  /**
   * Finds out why listening failed by trying to listen again, since the web server does not say
   * why.
   */
  private static String reason(InetAddress address, int port) {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(address, port));
      return "the server did not start";
    } catch (IOException e) {
      return Objects.requireNonNullElse(e.getMessage(), e.toString());
    }
  }

  /** Returns the port the host listens on. */
  public int port() {
    return server.port();
  }

  /** Returns the port of {@link Settings#admin()}; -1 when there is none. */
  public int adminPort() {
    return admin == null ? -1 : admin.port();
  }

  /** Returns the base URI of the API, such as {@code http://127.0.0.1:8080/api/v1}. */
  public URI uri() {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    String scheme = settings.certificate() == null ? "http" : "https";
    return URI.create(scheme + "://" + host + ":" + port() + ROOT);
  }

  /** Returns the number of client connections. */
  int connections() {
    return sweep.connections();
  }

  /**
   * Stops the host and returns when the last request is over. During the drain delay the host
   * reports that it is not ready and still accepts requests, but closes each connection after its
   * answer. Then it refuses new requests; those in progress may continue for the drain time and are
   * then cancelled. Calling this again has no effect.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    probes.drain();
    exchangeHandler.closeConnections();
    waitForBalancers();
    exchangeHandler.refuseNew();
    var stopLatch = new CountDownLatch(1);
    ambient.startService("drain", () -> cancelAfterDrain(stopLatch));
    try {
      server.stop();
    } finally {
      stopLatch.countDown();
      sweep.close();
      if (admin != null) {
        admin.close(); // last, so that its probes report until then that the host is draining
      }
    }
  }

  /** Waits for the drain delay, in which load balancers notice that this host is not ready. */
  private void waitForBalancers() {
    if (settings.drainDelay().isZero()) {
      return;
    }
    try {
      ambient.sleep(settings.drainDelay());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // an interrupt shortens the drain delay
    }
  }

  private void cancelAfterDrain(CountDownLatch stopLatch) {
    try {
      if (!stopLatch.await(settings.drain().toNanos(), TimeUnit.NANOSECONDS)) {
        sweep.cancelAll(Cancellation.Cause.SHUTDOWN);
      }
    } catch (InterruptedException e) {
      sweep.cancelAll(Cancellation.Cause.SHUTDOWN);
    }
  }

  /**
   * Handles every connection the web server accepts with an {@link HttpConnection}. The web server
   * listens, provides the threads, decrypts and shuts down. Requests and answers are read and
   * written by this package, since the web server neither notices a client that goes away nor
   * parses strictly enough.
   */
  private static final class HttpConnections implements ServerConnectionSelector {
    private final HttpConnection.Shared shared;
    private final AcceptedSockets sockets;

    HttpConnections(HttpConnection.Shared shared, AcceptedSockets sockets) {
      this.shared = shared;
      this.sockets = sockets;
    }

    @Override
    public int bytesToIdentifyConnection() {
      return 0;
    }

    @Override
    public Support supports(BufferData data) {
      return Support.SUPPORTED;
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
      return Set.of("http/1.1");
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
      long cost = context.isSecure() ? PendingConnections.TLS_COST : PendingConnections.PLAIN_COST;
      return new HttpConnection(shared, sockets.begin(context), cost, client(context));
    }

    private static @Nullable InetAddress client(ConnectionContext context) {
      return context.remotePeer().address() instanceof InetSocketAddress peer
          ? peer.getAddress()
          : null;
    }
  }
}
