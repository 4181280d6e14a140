package io.strowger.benchmarks.safety;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The client side of an attack on a gateway: opens connections, counts the outcomes of requests,
 * and records the time of the longest answer. Closing it closes every connection. Safe on any
 * thread.
 */
final class AttackedGateway implements AutoCloseable {
  private static final int SMALL_BUFFER = 4096;

  private final URI api;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
  private final AtomicLong longestNanos = new AtomicLong();
  private volatile boolean closed;

  AttackedGateway(URI api) {
    this.api = api;
  }

  /** Returns a new connection, which {@link #close} closes if it is still open. */
  Socket connect() throws IOException {
    return connectSocket(new Socket());
  }

  /** Returns a new connection with a small receive buffer. */
  Socket connectWithSmallBuffer() throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(SMALL_BUFFER);
    return connectSocket(socket);
  }

  private Socket connectSocket(Socket socket) throws IOException {
    socket.connect(new InetSocketAddress(api.getHost(), api.getPort()));
    sockets.add(socket);
    if (closed) {
      socket.close();
    }
    return socket;
  }

  void disconnect(Socket socket) throws IOException {
    sockets.remove(socket);
    socket.close();
  }

  /** Returns the head of a request. */
  String head(String method, String path, String key, long length) {
    return "%s %s%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
        .formatted(method, api.getPath(), path, api.getAuthority(), key, length);
  }

  /** Sends a request on a new connection, counts the status of the answer and discards its body. */
  void exchange(String head, byte[] body) throws IOException {
    Socket socket = connect();
    long start = System.nanoTime();
    try {
      OutputStream out = socket.getOutputStream();
      try {
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
      } catch (IOException refused) {
        // an early refusal can still be read below
      }
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[64 * 1024];
      int statusLength = in.readNBytes(buffer, 0, 12);
      count(statusLength < 12 ? "lost" : new String(buffer, 9, 3, StandardCharsets.US_ASCII));
      while (in.read(buffer) >= 0) {
        // to its end
      }
    } catch (IOException failure) {
      if (!closed) {
        count("lost");
      }
      throw failure;
    } finally {
      longestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
      disconnect(socket);
    }
  }

  /** Sends a request on as many new connections at once, and waits until all have ended. */
  void burst(int clients, String head, byte[] body, Duration patience) throws InterruptedException {
    var threads = new Threads();
    var started = new ArrayList<Thread>();
    for (int i = 0; i < clients; i++) {
      started.add(threads.start("burst", () -> exchangeOrLose(head, body)));
    }
    for (Thread client : started) {
      client.join(patience);
    }
  }

  private void exchangeOrLose(String head, byte[] body) {
    try {
      exchange(head, body);
    } catch (IOException counted) {
      // already counted as lost
    }
  }

  void count(String outcome) {
    outcomes.computeIfAbsent(outcome, first -> new LongAdder()).increment();
  }

  long outcomeCount(String outcome) {
    LongAdder count = outcomes.get(outcome);
    return count == null ? 0 : count.sum();
  }

  /** Returns the outcomes and their counts, such as {@code 200=12 400=3}. */
  String outcomes() {
    var text = new StringBuilder();
    outcomes.forEach(
        (outcome, count) ->
            text.append(text.isEmpty() ? "" : " ").append(outcome).append('=').append(count.sum()));
    return text.toString();
  }

  /** Returns the time of the longest exchange, in nanoseconds. */
  long longestNanos() {
    return longestNanos.get();
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
