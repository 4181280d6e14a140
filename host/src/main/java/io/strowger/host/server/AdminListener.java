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
 * threads, so they are answered even if all carriers of virtual threads are busy. It speaks plain
 * HTTP, with one request per connection and no request body, and is meant for a network that
 * clients cannot reach.
 *
 * <p>A connection is closed when its client has not sent the request within {@link #READ_TIMEOUT},
 * or has not read the answer within {@link #WRITE_TIMEOUT}, so that a silent client does not hold a
 * thread for longer. Administration may wait for a store, and writing a page of metrics may wait
 * for the client; each of the two may use only some of the threads.
 */
final class AdminListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHost.class);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration ACCEPT_RETRY_DELAY = Duration.ofMillis(100);
  private static final int THREADS = 8;
  private static final int MAX_ADMIN_REQUESTS = 2;
  private static final int MAX_SCRAPES = 2;
  private static final int BACKLOG = 100;
  private static final int BUFFER_SIZE = 4096;
  private static final String HEALTH = "/health";

  private final Function<WireRequest, WireResponse> api;
  private final Probes probes;
  private final @Nullable MetricsPage metrics;
  private final Ambient ambient;
  private final ServerSocket server;
  private final Set<Socket> openSockets = ConcurrentHashMap.newKeySet();
  private final Semaphore adminPermits = new Semaphore(MAX_ADMIN_REQUESTS);
  private final Semaphore scrapePermits = new Semaphore(MAX_SCRAPES);
  // ordered by deadline
  private final BlockingQueue<PendingWrite> pendingWrites = new LinkedBlockingQueue<>();
  private @Nullable Thread closer; // set before this object is published

  /** An answer being written, and its deadline on {@link Ambient#nanoTime}. */
  private static final class PendingWrite {
    private final Socket socket;
    private final long deadline;
    private volatile boolean isDone;

    PendingWrite(Socket socket, long deadline) {
      this.socket = socket;
      this.deadline = deadline;
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
          "cannot listen on %s:%d (server.admin): %s"
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
      Socket socket = acceptOrPause();
      if (socket == null) {
        continue;
      }
      openSockets.add(socket);
      try (socket) {
        serve(socket);
      } catch (IOException | UncheckedIOException | CloseConnectionException e) {
        // the client closed the connection
      } catch (RuntimeException e) {
        LOG.error("a request to the admin port failed", e);
      } finally {
        openSockets.remove(socket);
      }
    }
  }

  /** Closes the connections of clients that do not read, which ends the blocked writes to them. */
  private void closeUnread() {
    try {
      while (true) {
        PendingWrite next = pendingWrites.take();
        if (!next.isDone) {
          ambient.sleep(Duration.ofNanos(Math.max(0, next.deadline - ambient.nanoTime())));
        }
        if (!next.isDone) {
          close(next.socket);
        }
      }
    } catch (InterruptedException e) {
      // interrupted by close
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.warn("a connection of the admin port could not be closed: {}", e.getMessage());
    }
  }

  /**
   * Waits for the next connection and returns it; null when accepting failed, for example because
   * too many files are open.
   */
  private @Nullable Socket acceptOrPause() {
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
      ambient.sleep(ACCEPT_RETRY_DELAY);
    } catch (InterruptedException e) {
      close(); // these threads are interrupted only to end them
    }
  }

  private void serve(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    long deadline = ambient.nanoTime() + READ_TIMEOUT.toNanos();
    InputStream in = socket.getInputStream();
    RequestHead head;
    try {
      head = RequestHead.read(new ConnectionInput(() -> read(socket, in, deadline)));
    } catch (RequestException e) {
      write(
          HttpError.response(GatewayError.of(ErrorCode.INVALID_REQUEST, HttpError.message(e))),
          false,
          socket);
      return;
    }
    boolean headOnly = head.method().equals("HEAD");
    if (metrics == null || !head.path().equals(MetricsPage.PATH)) {
      write(answer(head, socket.getInetAddress()), headOnly, socket);
    } else if (scrapePermits.tryAcquire()) {
      try {
        write(metrics.answer(headOnly ? "GET" : head.method()), headOnly, socket);
      } finally {
        scrapePermits.release();
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
  private byte @Nullable [] read(Socket socket, InputStream in, long deadline) {
    byte[] buffer = new byte[BUFFER_SIZE];
    try {
      long left = Duration.ofNanos(deadline - ambient.nanoTime()).toMillis();
      if (left <= 0) {
        return null;
      }
      socket.setSoTimeout((int) left);
      int count = in.read(buffer);
      return count < 0 ? null : Arrays.copyOf(buffer, count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private WireResponse answer(RequestHead head, InetAddress client) {
    String method = head.method().equals("HEAD") ? "GET" : head.method();
    WireResponse probeAnswer = probes.answer(method, head.path());
    if (probeAnswer != null) {
      return probeAnswer;
    }
    String path = head.path().startsWith(HttpHost.ROOT) ? pathBelowRoot(head.path()) : "";
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
    if (!adminPermits.tryAcquire()) {
      return busy();
    }
    try {
      return ask(request);
    } finally {
      adminPermits.release();
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

  private static String pathBelowRoot(String path) {
    String subpath = path.substring(HttpHost.ROOT.length());
    return subpath.endsWith("/") ? subpath.substring(0, subpath.length() - 1) : subpath;
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
    var message = new ByteArrayOutputStream();
    message.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    if (!headOnly) {
      body.writeTo(message);
    }
    var pendingWrite = new PendingWrite(socket, ambient.nanoTime() + WRITE_TIMEOUT.toNanos());
    pendingWrites.add(pendingWrite);
    try {
      socket.getOutputStream().write(message.toByteArray());
      socket.shutdownOutput();
    } finally {
      pendingWrite.isDone = true;
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
      for (Socket socket : openSockets) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.warn("the admin port could not be closed: {}", e.getMessage());
    }
  }
}
