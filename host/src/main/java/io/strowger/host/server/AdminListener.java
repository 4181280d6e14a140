package io.strowger.host.server;

import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.Cancellation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves probes, {@code /admin/} and {@code /metrics} on a port of their own, with a few platform
 * threads, so they are answered even if all carriers of virtual threads are busy. Plain HTTP, one
 * request per connection, no request body; for a network that clients cannot reach.
 *
 * <p>A connection is closed when it has not sent its request after {@link #PATIENCE}, or not read
 * its answer after {@link #READING}, so that a silent client does not hold a thread for longer.
 * Administration may wait for a store, and writing a page of metrics may wait for the client; each
 * of the two may use only some of the threads.
 */
final class AdminListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHost.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration READING = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final int THREADS = 8;
  private static final int ADMINISTERING = 2;
  private static final int SCRAPING = 2;
  private static final int BACKLOG = 100;
  private static final int PIECE = 4096;
  private static final String HEALTH = "/health";

  private final Function<WireRequest, WireResponse> api;
  private final Probes probes;
  private final @Nullable MetricsPage metrics;
  private final Ambient ambient;
  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Semaphore administering = new Semaphore(ADMINISTERING);
  private final Semaphore scraping = new Semaphore(SCRAPING);
  // ordered by deadline
  private final BlockingQueue<Writing> writings = new LinkedBlockingQueue<>();
  private @Nullable Thread closer; // set before this object is published

  /** An answer being written, and its deadline on {@link Ambient#nanoTime}. */
  private static final class Writing {
    private final Socket socket;
    private final long due;
    private volatile boolean done;

    Writing(Socket socket, long due) {
      this.socket = socket;
      this.due = due;
    }
  }

  private AdminListener(
      Function<WireRequest, WireResponse> api,
      Probes probes,
      @Nullable MetricsPage metrics,
      Ambient ambient,
      ServerSocket server) {
    this.api = api;
    this.probes = probes;
    this.metrics = metrics;
    this.ambient = ambient;
    this.server = server;
  }

  /**
   * Starts listening.
   *
   * @param api answers {@code /health} and {@code /admin/reload}
   * @param metrics answers {@code /metrics}; null if there is no such page
   * @throws IOException when the address cannot be bound; the message says why
   */
  static AdminListener start(
      InetSocketAddress address,
      Function<WireRequest, WireResponse> api,
      Probes probes,
      @Nullable MetricsPage metrics,
      Ambient ambient)
      throws IOException {
    // closed by close
    var server = new ServerSocket();
    try {
      if (address.isUnresolved()) {
        throw new IOException("no such host");
      }
      server.bind(address, BACKLOG);
    } catch (IOException e) {
      server.close();
      throw new IOException(
          "cannot listen on %s:%d, of server.admin: %s"
              .formatted(address.getHostString(), address.getPort(), e.getMessage()),
          e);
    }
    var listener = new AdminListener(api, probes, metrics, ambient, server);
    listener.closer = ambient.startService("admin-closer", listener::closeUnread);
    for (int i = 0; i < THREADS; i++) {
      ambient.startService("admin-" + i, listener::run);
    }
    return listener;
  }

  int port() {
    return server.getLocalPort();
  }

  private void run() {
    while (!server.isClosed()) {
      Socket socket = accepted();
      if (socket == null) {
        continue;
      }
      open.add(socket);
      try (socket) {
        serve(socket);
      } catch (IOException | UncheckedIOException | CloseConnectionException gone) {
        // the client closed the connection
      } catch (RuntimeException e) {
        LOG.error("a request to the admin port failed", e);
      } finally {
        open.remove(socket);
      }
    }
  }

  /** Closes the connections of clients that do not read, which ends the blocked writes to them. */
  private void closeUnread() {
    try {
      while (true) {
        Writing next = writings.take();
        if (!next.done) {
          ambient.sleep(Duration.ofNanos(Math.max(0, next.due - ambient.nanoTime())));
        }
        if (!next.done) {
          close(next.socket);
        }
      }
    } catch (InterruptedException closed) {
      // interrupted by close
    }
  }

  private static void close(Socket unread) {
    try {
      unread.close();
    } catch (IOException e) {
      LOG.warn("a connection of the admin port could not be closed: {}", e.getMessage());
    }
  }

  /**
   * Waits for the next connection and returns it; null when accepting failed, for example because
   * too many files are open.
   */
  private @Nullable Socket accepted() {
    try {
      return server.accept();
    } catch (IOException e) {
      if (!server.isClosed()) {
        pause();
      }
      return null;
    }
  }

  private void pause() {
    try {
      ambient.sleep(RETRY);
    } catch (InterruptedException e) {
      close(); // these threads are interrupted only to end them
    }
  }

  private void serve(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    long until = ambient.nanoTime() + PATIENCE.toNanos();
    InputStream in = socket.getInputStream();
    RequestHead head;
    try {
      head = RequestHead.read(new ConnectionInput(() -> piece(socket, in, until)));
    } catch (RequestException refused) {
      write(
          HttpError.response(
              GatewayError.of(
                  ErrorCode.INVALID_REQUEST,
                  "Not a valid HTTP request: " + refused.status().reasonPhrase())),
          false,
          socket);
      return;
    }
    boolean headOnly = head.method().equals("HEAD");
    if (metrics == null || !head.path().equals(MetricsPage.PATH)) {
      write(answer(head, socket.getInetAddress()), headOnly, socket);
    } else if (scraping.tryAcquire()) {
      try {
        write(metrics.answer(headOnly ? "GET" : head.method()), headOnly, socket);
      } finally {
        scraping.release();
      }
    } else {
      write(busy(), headOnly, socket);
    }
  }

  private static WireResponse busy() {
    return HttpError.response(GatewayError.of(ErrorCode.UNAVAILABLE).withRetryAfter(1));
  }

  /**
   * Waits for the next bytes and returns them; null at the end of the input and after the deadline.
   */
  private byte @Nullable [] piece(Socket socket, InputStream in, long until) {
    byte[] piece = new byte[PIECE];
    try {
      long left = Duration.ofNanos(until - ambient.nanoTime()).toMillis();
      if (left <= 0) {
        return null;
      }
      socket.setSoTimeout((int) left);
      int count = in.read(piece);
      return count < 0 ? null : Arrays.copyOf(piece, count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private WireResponse answer(RequestHead head, InetAddress client) {
    String method = head.method().equals("HEAD") ? "GET" : head.method();
    WireResponse probed = probes.answer(method, head.path());
    if (probed != null) {
      return probed;
    }
    String path = head.path().startsWith(HttpHost.ROOT) ? below(head.path()) : "";
    if (!path.equals(HEALTH) && !path.equals(AdminRoutes.RELOAD)) {
      return HttpError.response(GatewayError.of(ErrorCode.NOT_FOUND));
    }
    var request =
        new WireRequest(
            method,
            path,
            head.query(),
            head.fields(),
            InputStream.nullInputStream(),
            new Cancellation(),
            client);
    return path.equals(HEALTH) ? ask(request) : administer(request);
  }

  private WireResponse administer(WireRequest request) {
    if (!administering.tryAcquire()) {
      return busy();
    }
    try {
      return ask(request);
    } finally {
      administering.release();
    }
  }

  private WireResponse ask(WireRequest request) {
    try {
      return api.apply(request);
    } catch (RuntimeException e) {
      LOG.error("the engine failed on {} {}", request.method(), request.path(), e);
      return HttpError.response(GatewayError.of(ErrorCode.INTERNAL));
    }
  }

  private static String below(String path) {
    String below = path.substring(HttpHost.ROOT.length());
    return below.endsWith("/") ? below.substring(0, below.length() - 1) : below;
  }

  private void write(WireResponse response, boolean headOnly, Socket socket) throws IOException {
    var body = new ByteArrayOutputStream();
    try (var answer = response.body()) {
      answer.transferTo(body);
    }
    var head = new StringBuilder(256);
    head.append("HTTP/1.1 ").append(response.status()).append(" \r\n");
    for (Map.Entry<String, String> header : response.headers().entrySet()) {
      head.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
    }
    head.append("Content-Length: ").append(body.size()).append("\r\nConnection: close\r\n\r\n");
    var all = new ByteArrayOutputStream();
    all.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    if (!headOnly) {
      body.writeTo(all);
    }
    var writing = new Writing(socket, ambient.nanoTime() + READING.toNanos());
    writings.add(writing);
    try {
      socket.getOutputStream().write(all.toByteArray());
      socket.shutdownOutput();
    } finally {
      writing.done = true;
    }
  }

  /** Stops listening and closes the open connections. */
  @Override
  public void close() {
    try {
      server.close();
      if (closer != null) {
        closer.interrupt();
      }
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.warn("the admin port could not be closed: {}", e.getMessage());
    }
  }
}
