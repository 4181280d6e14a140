package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.CloseConnectionException;
import io.strowger.core.Readiness;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("A connection and its sweep")
class HttpConnectionTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final String REQUEST = "GET /api/v1/health HTTP/1.1\r\nHost: h\r\n\r\n";

  private final FakeApi api = new FakeApi();
  private final HastyAmbient ambient = new HastyAmbient();
  private final ConnectionSweep sweep = new ConnectionSweep(ambient);
  private final HttpExchangeHandler httpExchangeHandler =
      new HttpExchangeHandler(api, new Probes(() -> Readiness.READY), new CrossOrigin(List.of()));

  /**
   * An ambient whose clock advances by half a second at each reading, and that fails the next
   * {@code failures} starts of threads.
   */
  private static final class HastyAmbient implements Ambient {
    private final Ambient system = new SystemAmbient();
    private final AtomicLong time = new AtomicLong();
    private final AtomicInteger failures = new AtomicInteger();

    @Override
    public Instant now() {
      return system.now();
    }

    @Override
    public long nanoTime() {
      return time.addAndGet(Duration.ofMillis(500).toNanos());
    }

    @Override
    public long seed() {
      return 1;
    }

    @Override
    public void sleep(Duration time) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Thread start(String name, Runnable task) {
      if (failures.getAndDecrement() > 0) {
        throw new OutOfMemoryError("no thread");
      }
      return system.start(name, task);
    }

    @Override
    public Thread startService(String name, Runnable task) {
      return system.startService(name, task);
    }
  }

  /** A socket whose reads and writes end only when its channel is closed, as in TLS. */
  private static final class BlockedSocket implements ClientSocket {
    private final CountDownLatch over = new CountDownLatch(1);
    private final Channel channel = new FakeChannel(over::countDown);
    private byte @Nullable [] first;

    /**
     * Creates a socket.
     *
     * @param first the bytes of the first read, after which reads block; null if it blocks, too
     */
    BlockedSocket(@Nullable String first) {
      this.first = first == null ? null : first.getBytes(StandardCharsets.US_ASCII);
    }

    private UncheckedIOException awaitClosed() {
      boolean interrupted = false;
      while (true) {
        try {
          over.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true; // as a lock does
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return new UncheckedIOException(new AsynchronousCloseException());
    }

    @Override
    public byte @Nullable [] read() {
      byte[] bytes = first;
      first = null;
      if (bytes == null) {
        throw awaitClosed();
      }
      return bytes;
    }

    @Override
    public boolean supportsDirectRead() {
      return false;
    }

    @Override
    public int read(byte[] into, int from, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(byte[] bytes, int from, int length) {
      throw awaitClosed();
    }

    @Override
    public void stopReading() {}

    @Override
    public void dropUnread(int most) {}

    @Override
    public Channel channel() {
      return channel;
    }
  }

  @BeforeEach
  void start() {
    sweep.start();
  }

  @AfterEach
  void stop() {
    sweep.close();
  }

  private HttpConnection connection(ClientSocket socket) {
    var shared =
        new HttpConnection.Shared(
            httpExchangeHandler, sweep, PendingConnections.ofHeap(), 1_000_000, TIMEOUT, ambient);
    return new HttpConnection(shared, socket, PendingConnections.TLS_COST, null);
  }

  /** Serves a connection and returns why it ended. */
  private String serve(ClientSocket socket) throws Exception {
    return startServing(socket).get(30, TimeUnit.SECONDS);
  }

  private CompletableFuture<String> startServing(ClientSocket socket) {
    HttpConnection connection = connection(socket);
    var ended = new CompletableFuture<String>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                connection.serve();
                ended.complete("end of input");
              } catch (CloseConnectionException e) {
                ended.complete(String.valueOf(e.getMessage()));
              } catch (RuntimeException | Error e) {
                ended.completeExceptionally(e);
              }
            });
    return ended;
  }

  @Test
  @DisplayName("end a read that the end of the input does not wake")
  void jammedRead() throws Exception {
    var socket = new BlockedSocket(null);
    assertThat(serve(socket)).isEqualTo("the client was idle for too long");
    assertThat(socket.channel().isOpen()).isFalse();
  }

  @Test
  @DisplayName("end a write that an interrupt does not wake")
  void jammedWrite() throws Exception {
    var socket = new BlockedSocket(REQUEST);
    assertThat(serve(socket)).isEqualTo("the client is gone");
    assertThat(socket.channel().isOpen()).isFalse();
  }

  @Test
  @DisplayName("close the channel of an ended connection that could not be closed otherwise")
  void jammedClose() throws Exception {
    var over = new CountDownLatch(1);
    sweep.remove(connection(new BlockedSocket(null)), new FakeChannel(over::countDown));
    assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @DisplayName("end the remaining writes when the host has stopped")
  void remainingAtStop() throws Exception {
    var writing = startServing(new BlockedSocket(REQUEST));
    while (api.served.isEmpty()) {
      Thread.onSpinWait();
    }
    sweep.close();
    assertThat(writing.get(30, TimeUnit.SECONDS)).isEqualTo("the client is gone");
  }

  @Test
  @DisplayName("continue if no watcher can be started, and notice later that the client has gone")
  void noThreads() throws Exception {
    ambient.failures.set(3);
    var socket = new FakeSocket();
    socket.send(REQUEST.replace("health", "wait"));
    var ended = startServing(socket);
    Cancellation cancellation = api.next().cancellation();
    var gone = new CountDownLatch(1);
    cancellation.onCancel(gone::countDown);
    while (ambient.failures.get() >= 0) {
      Thread.onSpinWait();
    }
    socket.end();
    assertThat(gone.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo("end of input");
  }

  @Test
  @DisplayName("end without an error if the client has gone before it is refused")
  void refusedAndGone() throws Exception {
    var socket = new BlockedSocket("BAD\r\n\r\n");
    socket.channel().close();
    assertThat(serve(socket)).isEqualTo("the client is gone");
  }

  @Test
  @DisplayName("wait for no request if they begin after the host has begun to stop")
  void stopping() {
    httpExchangeHandler.refuseNew();
    HttpConnection connection = connection(new BlockedSocket(null));
    assertThatThrownBy(connection::serve)
        .isInstanceOf(CloseConnectionException.class)
        .hasMessage("the server stops");
  }
}
