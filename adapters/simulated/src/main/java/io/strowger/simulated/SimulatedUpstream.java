package io.strowger.simulated;

import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An upstream on loopback, over real HTTP, that answers from scripts: one per model, or one for
 * just the next request. The path of a request selects the API: {@code /chat/completions}, {@code
 * /messages}, {@code /responses}, {@code /models/MODEL:generateContent} and {@code
 * :streamGenerateContent}, {@code /embeddings}, {@code /audio/speech}, {@code /rerank}, {@code
 * /images/generations}, {@code /audio/transcriptions}, and paths that count the tokens of a prompt.
 * The upstream fails exactly as scripted, keeps the last requests byte for byte, and notices when a
 * client leaves early.
 *
 * <p>Fast enough for benchmarks: the bytes of a script are made once and sent in one write. One
 * virtual thread per connection; {@link #close()} leaves no thread and no socket.
 */
public final class SimulatedUpstream implements AutoCloseable {
  private static final int MAX_RECEIVED = 256;
  private static final int BACKLOG = 1024;

  private final Ambient ambient;
  private final ServerSocket server;
  private final Map<Key, List<ScriptedStep>> compiled = new ConcurrentHashMap<>();
  private final Map<String, Script> scripts = new ConcurrentHashMap<>();
  private final Map<String, Function<ReceivedRequest, Script>> responders =
      new ConcurrentHashMap<>();
  private final Deque<Script> nextScripts = new ConcurrentLinkedDeque<>();
  private final Map<Socket, Thread> connections = new ConcurrentHashMap<>();
  private final AtomicInteger connectionCount = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread acceptor;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<ReceivedRequest> received = new ArrayDeque<>(); // guarded by lock
  private long requests; // guarded by lock
  private long disconnects; // guarded by lock
  private long reportedDisconnects; // guarded by lock

  /** Identifies the compiled steps of a script for one kind of request. */
  private record Key(
      Script script, UpstreamProtocol protocol, UpstreamProtocol.ParsedRequest parsedRequest) {}

  private SimulatedUpstream(Ambient ambient, ServerSocket server) {
    this.ambient = ambient;
    this.server = server;
    this.acceptor = ambient.start("simulated-upstream", this::accept);
  }

  /** Listens on a free port of the loopback interface. Threads and pauses come from the ambient. */
  @SuppressWarnings("AddressSelection") // a literal, which is one address
  public static SimulatedUpstream start(Ambient ambient) {
    try {
      return new SimulatedUpstream(
          ambient, new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1")));
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
  }

  /** Returns the base URI of the API: {@code http://127.0.0.1:PORT/v1}. */
  public URI baseUri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/v1");
  }

  /** Answers requests for this upstream model from the script from now on. */
  public SimulatedUpstream script(String model, Script script) {
    scripts.put(model, script);
    return this;
  }

  /** Sets a function that makes a script for each request for a model, on the request's thread. */
  public SimulatedUpstream respond(String model, Function<ReceivedRequest, Script> responder) {
    responders.put(model, responder);
    return this;
  }

  /**
   * Answers the next request from the script, whatever its model, unless its model has a responder.
   * The scripts of several calls answer one request each, in order.
   */
  public SimulatedUpstream answerNextWith(Script script) {
    nextScripts.addLast(script);
    return this;
  }

  /** Returns the last requests, oldest first; at most 256. */
  public List<ReceivedRequest> received() {
    lock.lock();
    try {
      return new ArrayList<>(received);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the last request. */
  public ReceivedRequest last() {
    lock.lock();
    try {
      return received.getLast();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of requests since the start. */
  public long requests() {
    lock.lock();
    try {
      return requests;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of connections accepted since the start. */
  public int connections() {
    return connectionCount.get();
  }

  /** Waits for this many requests since the start; returns false if they do not come in time. */
  public boolean awaitRequests(long count, Duration timeout) throws InterruptedException {
    return await(() -> requests >= count, timeout);
  }

  /**
   * Waits until a client has left before it received its whole answer; each such client is reported
   * once. Returns false when none has left in time.
   */
  public boolean awaitClientGone(Duration timeout) throws InterruptedException {
    return await(() -> reportedDisconnects < disconnects && ++reportedDisconnects > 0, timeout);
  }

  /** Waits until no client is connected; returns false if one still is after this time. */
  public boolean awaitNoConnections(Duration timeout) throws InterruptedException {
    return await(connections::isEmpty, timeout);
  }

  private boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
    long remaining = timeout.toNanos();
    lock.lock();
    try {
      while (!condition.getAsBoolean()) {
        if (remaining <= 0) {
          return false;
        }
        remaining = changed.awaitNanos(remaining);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  void recordRequest(ReceivedRequest request) {
    lock.lock();
    try {
      requests++;
      received.addLast(request);
      if (received.size() > MAX_RECEIVED) {
        received.removeFirst();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void recordDisconnect() {
    lock.lock();
    try {
      if (closed.get()) {
        return; // this side closed the connection
      }
      disconnects++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the steps for a request; null when no API or no script matches it. */
  @Nullable List<ScriptedStep> steps(ReceivedRequest request) {
    if (request.method().equals("POST")) {
      for (UpstreamProtocol protocol : UpstreamProtocol.ALL) {
        UpstreamProtocol.ParsedRequest parsedRequest = protocol.parseRequest(request);
        if (parsedRequest != null) {
          return steps(request, protocol, parsedRequest);
        }
      }
    }
    return null;
  }

  private @Nullable List<ScriptedStep> steps(
      ReceivedRequest request,
      UpstreamProtocol protocol,
      UpstreamProtocol.ParsedRequest parsedRequest) {
    Function<ReceivedRequest, Script> responder = responders.get(parsedRequest.model());
    if (responder != null) {
      return StepWriter.of(responder.apply(request), protocol, parsedRequest);
    }
    Script next = nextScripts.pollFirst();
    Script script = next == null ? scripts.get(parsedRequest.model()) : next;
    return script == null
        ? null
        : compiled.computeIfAbsent(
            new Key(script, protocol, parsedRequest),
            key -> StepWriter.of(key.script, key.protocol, key.parsedRequest));
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        var connection = new Connection(this, socket, connectionCount.incrementAndGet());
        Thread thread = ambient.start("simulated-connection", () -> serve(socket, connection));
        connections.put(socket, thread);
        if (socket.isClosed()) {
          removeConnection(socket); // it was served before it was registered
        }
      }
    } catch (IOException closing) {
      // the server socket was closed
    }
  }

  private void serve(Socket socket, Connection connection) {
    try (socket) {
      connection.play();
    } catch (IOException disconnect) {
      // the client is gone
    } finally {
      removeConnection(socket);
    }
  }

  private void removeConnection(Socket socket) {
    lock.lock();
    try {
      connections.remove(socket);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      server.close();
      acceptor.join();
      for (Map.Entry<Socket, Thread> connection : new HashMap<>(connections).entrySet()) {
        connection.getKey().close();
        connection.getValue().join();
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
