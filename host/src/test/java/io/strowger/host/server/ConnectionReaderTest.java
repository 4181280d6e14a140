package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("A connection is read by one thread at a time")
class ConnectionReaderTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long SECOND = 1_000_000_000L;

  /** Returns a reader of a socket that no sweep checks. */
  static ConnectionReader reader(ClientSocket socket) {
    return new ConnectionReader(socket, TIMEOUT, new SystemAmbient());
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "end" : new String(bytes, StandardCharsets.US_ASCII);
  }

  /** An ambient that starts no thread; the test runs each task with {@link #runStarted}. */
  private static final class ManualAmbient implements Ambient {
    private final Ambient system = new SystemAmbient();
    private final Queue<Runnable> started = new ArrayDeque<>();
    private @Nullable Runnable beforeFailedStart; // null if starting succeeds

    void runStarted() {
      started.remove().run();
    }

    @Override
    public Thread start(String name, Runnable task) {
      Runnable before = beforeFailedStart;
      if (before != null) {
        before.run();
        throw new OutOfMemoryError("no thread");
      }
      started.add(task);
      return Thread.currentThread();
    }

    @Override
    public Thread startService(String name, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Instant now() {
      return system.now();
    }

    @Override
    public long nanoTime() {
      return system.nanoTime();
    }

    @Override
    public long seed() {
      return 1;
    }

    @Override
    public void sleep(Duration time) {
      throw new UnsupportedOperationException();
    }
  }

  @Nested
  @DisplayName("in every order of connection, sweep and watcher")
  class Steps {
    private final ManualAmbient ambient = new ManualAmbient();
    private final FakeSocket socket = new FakeSocket();
    private final ConnectionReader reader = new ConnectionReader(socket, TIMEOUT, ambient);
    private final AtomicInteger gone = new AtomicInteger();

    private void startWatchedRequest() {
      assertThat(reader.watch(gone::incrementAndGet)).isTrue();
      reader.watchWhenSlow();
      reader.watchWhenSlow();
      assertThat(ambient.started).hasSize(1);
    }

    @Test
    @DisplayName("a request that is over within a tick starts no watcher")
    void quick() {
      for (int i = 0; i < 5; i++) {
        assertThat(reader.watch(gone::incrementAndGet)).isTrue();
        assertThat(reader.watchWhenSlow()).isTrue();
        reader.release();
        assertThat(reader.watchWhenSlow()).isFalse();
        assertThat(reader.watchWhenSlow()).isFalse();
      }
      assertThat(ambient.started).isEmpty();
      socket.send("next");
      assertThat(text(reader.readBytes())).isEqualTo("next");
    }

    @Test
    @DisplayName("two requests, one at each tick, are not one long request")
    void two() {
      reader.watch(gone::incrementAndGet);
      reader.watchWhenSlow();
      reader.release();
      reader.watch(gone::incrementAndGet);
      reader.watchWhenSlow();
      assertThat(ambient.started).isEmpty();
    }

    @Test
    @DisplayName("the end of the input during a request is reported once")
    void goneInWork() {
      startWatchedRequest();
      socket.end();
      ambient.runStarted();
      assertThat(gone).hasValue(1);
      reader.release();
      assertThat(text(reader.readBytes())).isEqualTo("end");
      assertThat(gone).hasValue(1);
    }

    @Test
    @DisplayName("the end of the input after a request is not reported")
    void goneAfter() {
      startWatchedRequest();
      reader.release();
      socket.end();
      ambient.runStarted();
      assertThat(text(reader.readBytes())).isEqualTo("end");
      assertThat(gone).hasValue(0);
    }

    @Test
    @DisplayName("the end of the input between two requests is reported to the second one")
    void goneBetween() {
      startWatchedRequest();
      reader.release();
      socket.end();
      ambient.runStarted();
      var second = new AtomicInteger();
      assertThat(reader.watch(second::incrementAndGet)).isFalse();
      assertThat(second).hasValue(1);
      assertThat(gone).hasValue(0);
    }

    @Test
    @DisplayName("a watcher that still reads watches the next request too")
    void watchedOn() {
      startWatchedRequest();
      reader.release();
      var second = new AtomicInteger();
      assertThat(reader.watch(second::incrementAndGet)).isFalse();
      reader.watchWhenSlow();
      reader.watchWhenSlow();
      socket.end();
      ambient.runStarted();
      assertThat(ambient.started).isEmpty();
      assertThat(second).hasValue(1);
      assertThat(gone).hasValue(0);
    }

    @Test
    @DisplayName(
        "bytes that the watcher reads belong to the next request, and no second watcher reads more")
    void early() {
      startWatchedRequest();
      socket.send("next");
      socket.send("more");
      ambient.runStarted();
      reader.watchWhenSlow();
      reader.watchWhenSlow();
      assertThat(ambient.started).isEmpty();
      reader.release();
      assertThat(reader.supportsDirectRead()).isFalse();
      assertThat(text(reader.readBytes())).isEqualTo("next");
      assertThat(text(reader.readBytes())).isEqualTo("more");
      assertThat(gone).hasValue(0);
    }

    @Test
    @DisplayName(
        "a connection that fails while the watcher reads counts as gone, and fails when it is read"
            + " again")
    void broken() {
      var breaking =
          new ConnectionReader(
              new FakeSocket(
                  () -> {
                    throw new UncheckedIOException(new IOException("reset"));
                  }),
              TIMEOUT,
              ambient);
      breaking.watch(gone::incrementAndGet);
      breaking.watchWhenSlow();
      breaking.watchWhenSlow();
      ambient.runStarted();
      assertThat(gone).hasValue(1);
      breaking.release();
      assertThatThrownBy(breaking::readBytes).isInstanceOf(ServerConnectionException.class);
    }

    @Test
    @DisplayName("a thread that needs the bytes that the watcher is reading waits for the watcher")
    void awaited() throws InterruptedException {
      startWatchedRequest();
      reader.release();
      BlockingQueue<String> read = new LinkedBlockingQueue<>();
      Thread connection = Thread.ofVirtual().start(() -> read.add(text(reader.readBytes())));
      while (connection.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      socket.send("next");
      ambient.runStarted();
      assertThat(read.poll(20, TimeUnit.SECONDS)).isEqualTo("next");
    }

    @Test
    @DisplayName("a wait for the watcher times out like any other, and the watcher ends later")
    void awaitedTooLong() throws InterruptedException {
      startWatchedRequest();
      reader.release();
      BlockingQueue<String> failed = new LinkedBlockingQueue<>();
      Thread connection =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      reader.readBytes();
                    } catch (CloseConnectionException e) {
                      failed.add(String.valueOf(e.getMessage()));
                    }
                  });
      while (connection.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      reader.check(0);
      reader.check(TIMEOUT.toNanos() * 10);
      assertThat(failed.poll(20, TimeUnit.SECONDS)).isEqualTo("the client was idle for too long");
      ambient.runStarted(); // until the end of the input
      assertThat(gone).hasValue(0);
    }

    @Test
    @DisplayName("a watcher that cannot be started is started at the next tick")
    void noThread() {
      ambient.beforeFailedStart = () -> {};
      assertThat(reader.watch(gone::incrementAndGet)).isTrue();
      reader.watchWhenSlow();
      assertThatThrownBy(reader::watchWhenSlow).isInstanceOf(OutOfMemoryError.class);
      assertThat(reader.isUnwatched()).isTrue();
      ambient.beforeFailedStart = null;
      reader.watchWhenSlow();
      assertThat(ambient.started).hasSize(1);
      socket.end();
      ambient.runStarted();
      assertThat(gone).hasValue(1);
    }

    @Test
    @DisplayName("the next request is read after one that ends while no watcher can be started")
    void noThreadAndOver() {
      ambient.beforeFailedStart = reader::release;
      assertThat(reader.watch(gone::incrementAndGet)).isTrue();
      reader.watchWhenSlow();
      assertThatThrownBy(reader::watchWhenSlow).isInstanceOf(OutOfMemoryError.class);
      socket.send("next");
      assertThat(text(reader.readBytes())).isEqualTo("next");
    }

    @Test
    @DisplayName(
        "a thread that waits for a watcher that cannot be started reads the connection itself")
    void noThreadAndAwaited() throws InterruptedException {
      BlockingQueue<String> read = new LinkedBlockingQueue<>();
      ambient.beforeFailedStart =
          () -> {
            reader.release();
            Thread connection = Thread.ofVirtual().start(() -> read.add(text(reader.readBytes())));
            while (connection.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
          };
      assertThat(reader.watch(gone::incrementAndGet)).isTrue();
      reader.watchWhenSlow();
      assertThatThrownBy(reader::watchWhenSlow).isInstanceOf(OutOfMemoryError.class);
      socket.send("next");
      assertThat(read.poll(20, TimeUnit.SECONDS)).isEqualTo("next");
    }
  }

  @Nested
  @DisplayName("and gives up")
  class GivesUp {
    private Runnable duringRead = () -> {};
    private boolean stopped;
    private final ConnectionReader reader =
        new ConnectionReader(
            new ClientSocket() {
              @Override
              public byte[] read() {
                duringRead.run();
                return new byte[] {'x'};
              }

              @Override
              public boolean supportsDirectRead() {
                return true;
              }

              @Override
              public int read(byte[] into, int from, int length) {
                duringRead.run();
                return 1;
              }

              @Override
              public int write(byte[] bytes, int from, int length) {
                return length;
              }

              @Override
              public void stopReading() {
                stopped = true;
              }

              @Override
              public void dropUnread(int most) {}

              @Override
              public Channel channel() {
                throw new UnsupportedOperationException();
              }
            },
            TIMEOUT,
            new SystemAmbient());

    private void expectStopAfter(long seconds) {
      duringRead =
          () -> {
            reader.check(0);
            reader.check(seconds * SECOND - 1);
            assertThat(stopped).isFalse();
            reader.check(seconds * SECOND);
          };
    }

    @Test
    @DisplayName("a connection that is idle for ten times the timeout")
    void resting() {
      expectStopAfter(300);
      assertThatThrownBy(reader::readBytes).hasMessage("the client was idle for too long");
      assertThat(stopped).isTrue();
      assertThatThrownBy(reader::readBytes).hasMessage("the client was idle for too long");
    }

    @Test
    @DisplayName(
        "a request that is silent for the timeout, also when it is read into the caller's array")
    void silent() {
      reader.readBytes();
      expectStopAfter(30);
      assertThatThrownBy(() -> reader.read(new byte[1], 0, 1))
          .hasMessage("the client stopped sending in the middle of a request");
      assertThat(stopped).isTrue();
    }

    @Test
    @DisplayName(
        "a request of which a part was pipelined, after the same time as one that has begun")
    void pipelined() {
      reader.nextRequest(true);
      expectStopAfter(30);
      assertThatThrownBy(reader::readBytes)
          .hasMessage("the client stopped sending in the middle of a request");
    }

    @Test
    @DisplayName("a request whose remaining time was limited")
    void hurried() {
      reader.readBytes();
      reader.limitRemainingTime(Duration.ofSeconds(5));
      expectStopAfter(5);
      assertThatThrownBy(reader::readBytes).hasMessage("the client is too slow");
    }

    @Test
    @DisplayName("no read that ended before the sweep checked it")
    void late() {
      AtomicInteger reads = new AtomicInteger();
      duringRead = () -> reader.check(reads.incrementAndGet() * 29 * SECOND);
      reader.nextRequest(false);
      reader.readBytes();
      reader.nextRequest(false);
      reader.readBytes();
      reader.check(1_000 * SECOND); // nothing is being read now
      assertThat(text(reader.readBytes())).isEqualTo("x");
      assertThat(stopped).isFalse();
    }

    @Test
    @DisplayName("a wait for a head when the server stops, before or during the wait")
    void stops() {
      duringRead = () -> reader.stop("the server stops");
      assertThatThrownBy(reader::readBytes).hasMessage("the server stops");
      assertThat(stopped).isTrue();
      ConnectionReader early = reader(FakeSocket.sending("x"));
      early.stop("the server stops");
      assertThatThrownBy(early::readBytes).hasMessage("the server stops");
    }

    @Test
    @DisplayName("no request whose body is being read when the server stops")
    void stopsInBody() {
      reader.readBytes();
      reader.endHead();
      duringRead = () -> reader.stop("the server stops");
      assertThat(text(reader.readBytes())).isEqualTo("x");
      assertThat(stopped).isFalse();
    }
  }

  /**
   * Runs the connection, a sweep that never pauses, and a client that sends numbers and then ends
   * or is given up at any moment. No number may be lost or read twice, the end may be reported only
   * to the last request and only once, and no thread may wait for ever.
   */
  @RepeatedTest(20)
  @DisplayName("whatever the three threads do at once")
  void hammered(org.junit.jupiter.api.RepetitionInfo repetition) throws InterruptedException {
    int pieces = 2_000;
    boolean givesUp = repetition.getCurrentRepetition() % 2 == 0;
    var random = new Random(repetition.getCurrentRepetition());
    var socket = new FakeSocket();
    ConnectionReader reader = reader(socket);
    AtomicInteger gone = new AtomicInteger();
    AtomicReference<@Nullable String> failure = new AtomicReference<>();
    Thread connection =
        Thread.ofVirtual()
            .unstarted(() -> failure.set(serve(reader, pieces, gone, givesUp, random.nextInt())));
    Thread sweep =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; connection.isAlive() || i == 0; i++) {
                    reader.watchWhenSlow();
                    reader.check(0); // the time stands still
                  }
                });
    connection.start();
    int until = givesUp ? random.nextInt(pieces) : pieces;
    for (int i = 0; i < until; i++) {
      socket.send(Integer.toString(i));
      if (random.nextInt(4) == 0) {
        LockSupport.parkNanos(random.nextInt(20_000));
      }
    }
    if (givesUp) {
      reader.stop("enough");
    } else {
      socket.end();
    }
    assertThat(connection.join(Duration.ofSeconds(30))).as("the connection ended").isTrue();
    sweep.join();
    assertThat(failure.get()).isNull();
  }

  /** Serves the numbers and returns what went wrong; null if nothing did. */
  private static @Nullable String serve(
      ConnectionReader reader, int pieces, AtomicInteger gone, boolean givesUp, int seed) {
    var random = new Random(seed);
    int expected = 0;
    try {
      while (true) {
        reader.nextRequest(false);
        byte[] piece = reader.readBytes();
        if (piece == null) {
          return expected == pieces ? null : "ended after " + expected;
        }
        if (!text(piece).equals(Integer.toString(expected))) {
          return "read " + text(piece) + " for " + expected;
        }
        expected++;
        int before = gone.get();
        reader.watch(gone::incrementAndGet);
        for (int i = random.nextInt(500); i > 0; i--) {
          Thread.onSpinWait();
        }
        if (random.nextInt(8) == 0) {
          Thread.yield();
        }
        reader.release();
        if (gone.get() - before > 1 || gone.get() != before && expected < pieces) {
          return "gone " + gone.get() + " at " + expected;
        }
      }
    } catch (CloseConnectionException stopped) {
      return givesUp && "enough".equals(stopped.getMessage()) ? null : "closed: " + stopped;
    } catch (RuntimeException e) {
      return e.toString();
    }
  }
}
