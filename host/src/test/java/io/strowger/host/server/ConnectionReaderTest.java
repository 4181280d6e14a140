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
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long SECOND = 1_000_000_000L;

  /** A reader of what a client sends that nobody sweeps. */
  static ConnectionReader reader(ClientSocket socket) {
    return new ConnectionReader(socket, PATIENCE, new SystemAmbient());
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "end" : new String(bytes, StandardCharsets.US_ASCII);
  }

  /** Starts no thread: the test runs what was to be run, when it wants. */
  private static final class Stepped implements Ambient {
    private final Ambient system = new SystemAmbient();
    private final Queue<Runnable> started = new ArrayDeque<>();
    private @Nullable Runnable whenStarting; // and then it fails; null: it does not

    void runStarted() {
      started.remove().run();
    }

    @Override
    public Thread start(String name, Runnable task) {
      Runnable before = whenStarting;
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
    private final Stepped ambient = new Stepped();
    private final FakeSocket socket = new FakeSocket();
    private final ConnectionReader reader = new ConnectionReader(socket, PATIENCE, ambient);
    private final AtomicInteger gone = new AtomicInteger();

    private void requestIsWatched() {
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
    @DisplayName("the end while a request is in work is told once")
    void goneInWork() {
      requestIsWatched();
      socket.end();
      ambient.runStarted();
      assertThat(gone).hasValue(1);
      reader.release();
      assertThat(text(reader.readBytes())).isEqualTo("end");
      assertThat(gone).hasValue(1);
    }

    @Test
    @DisplayName("the end after a request is told to nobody")
    void goneAfter() {
      requestIsWatched();
      reader.release();
      socket.end();
      ambient.runStarted();
      assertThat(text(reader.readBytes())).isEqualTo("end");
      assertThat(gone).hasValue(0);
    }

    @Test
    @DisplayName("the end between two requests is told to the second, which was there already")
    void goneBetween() {
      requestIsWatched();
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
      requestIsWatched();
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
    @DisplayName("bytes the watcher reads are the next request, and no second watcher reads on")
    void early() {
      requestIsWatched();
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
    @DisplayName("a connection that broke under the watcher counts as gone, and fails when read")
    void broken() {
      var breaking =
          new ConnectionReader(
              new FakeSocket(
                  () -> {
                    throw new UncheckedIOException(new IOException("reset"));
                  }),
              PATIENCE,
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
    @DisplayName("whoever needs what the watcher reads waits for it")
    void awaited() throws InterruptedException {
      requestIsWatched();
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
    @DisplayName("a wait for the watcher is given up like any other, and the watcher ends later")
    void awaitedTooLong() throws InterruptedException {
      requestIsWatched();
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
      reader.check(PATIENCE.toNanos() * 10);
      assertThat(failed.poll(20, TimeUnit.SECONDS)).isEqualTo("the client was idle for too long");
      ambient.runStarted(); // to the end of the input
      assertThat(gone).hasValue(0);
    }

    @Test
    @DisplayName("a watcher that cannot be started is tried again at the next tick")
    void noThread() {
      ambient.whenStarting = () -> {};
      assertThat(reader.watch(gone::incrementAndGet)).isTrue();
      reader.watchWhenSlow();
      assertThatThrownBy(reader::watchWhenSlow).isInstanceOf(OutOfMemoryError.class);
      assertThat(reader.isUnwatched()).isTrue();
      ambient.whenStarting = null;
      reader.watchWhenSlow();
      assertThat(ambient.started).hasSize(1);
      socket.end();
      ambient.runStarted();
      assertThat(gone).hasValue(1);
    }

    @Test
    @DisplayName("a request that ends while no watcher can be started is followed by the next")
    void noThreadAndOver() {
      ambient.whenStarting = reader::release;
      assertThat(reader.watch(gone::incrementAndGet)).isTrue();
      reader.watchWhenSlow();
      assertThatThrownBy(reader::watchWhenSlow).isInstanceOf(OutOfMemoryError.class);
      socket.send("next");
      assertThat(text(reader.readBytes())).isEqualTo("next");
    }

    @Test
    @DisplayName("whoever waits for a watcher that cannot be started reads by itself")
    void noThreadAndAwaited() throws InterruptedException {
      BlockingQueue<String> read = new LinkedBlockingQueue<>();
      ambient.whenStarting =
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
    private final AtomicReference<ConnectionReader> swept = new AtomicReference<>();
    private Runnable meanwhile = () -> {};
    private boolean stopped;
    private final ConnectionReader reader =
        new ConnectionReader(
            new ClientSocket() {
              @Override
              public byte[] read() {
                meanwhile.run();
                return new byte[] {'x'};
              }

              @Override
              public boolean supportsDirectRead() {
                return true;
              }

              @Override
              public int read(byte[] into, int from, int length) {
                meanwhile.run();
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
            PATIENCE,
            new SystemAmbient());

    GivesUp() {
      swept.set(reader);
    }

    private void waits(long seconds) {
      meanwhile =
          () -> {
            reader.check(0);
            reader.check(seconds * SECOND - 1);
            assertThat(stopped).isFalse();
            reader.check(seconds * SECOND);
          };
    }

    @Test
    @DisplayName("a connection that rests for ten times the patience")
    void resting() {
      waits(300);
      assertThatThrownBy(reader::readBytes).hasMessage("the client was idle for too long");
      assertThat(stopped).isTrue();
      assertThatThrownBy(reader::readBytes).hasMessage("the client was idle for too long");
    }

    @Test
    @DisplayName("a request that is silent for the patience, also when it is read in place")
    void silent() {
      reader.readBytes();
      waits(30);
      assertThatThrownBy(() -> reader.read(new byte[1], 0, 1))
          .hasMessage("the client stopped sending in the middle of a request");
      assertThat(stopped).isTrue();
    }

    @Test
    @DisplayName("a request that was partly here before it was its turn, like one that has begun")
    void pipelined() {
      reader.nextRequest(true);
      waits(30);
      assertThatThrownBy(reader::readBytes)
          .hasMessage("the client stopped sending in the middle of a request");
    }

    @Test
    @DisplayName("the rest of a request that is in a hurry")
    void hurried() {
      reader.readBytes();
      reader.limitRemainingTime(Duration.ofSeconds(5));
      waits(5);
      assertThatThrownBy(reader::readBytes).hasMessage("the client is too slow");
    }

    @Test
    @DisplayName("nothing that ended before the sweep came by")
    void late() {
      AtomicInteger reads = new AtomicInteger();
      meanwhile = () -> reader.check(reads.incrementAndGet() * 29 * SECOND);
      reader.nextRequest(false);
      reader.readBytes();
      reader.nextRequest(false);
      reader.readBytes();
      reader.check(1_000 * SECOND); // nobody waits now
      assertThat(text(reader.readBytes())).isEqualTo("x");
      assertThat(stopped).isFalse();
    }

    @Test
    @DisplayName("a wait for a head when the server stops, before or while it waits")
    void stops() {
      meanwhile = () -> reader.stop("the server stops");
      assertThatThrownBy(reader::readBytes).hasMessage("the server stops");
      assertThat(stopped).isTrue();
      ConnectionReader early = reader(FakeSocket.sending("x"));
      early.stop("the server stops");
      assertThatThrownBy(early::readBytes).hasMessage("the server stops");
    }

    @Test
    @DisplayName("no request whose body comes when the server stops")
    void stopsInBody() {
      reader.readBytes();
      reader.endHead();
      meanwhile = () -> reader.stop("the server stops");
      assertThat(text(reader.readBytes())).isEqualTo("x");
      assertThat(stopped).isFalse();
    }
  }

  /**
   * The connection, a sweep that never pauses, and a client that sends numbers, ends, and is given
   * up at any moment: no number is lost or read twice, the end is told to exactly one request, and
   * nobody waits for ever.
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

  /** Returns what went wrong; null when nothing did. */
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
