package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.strowger.spi.ambient.Ambient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads one connection, at most one piece ahead.
 *
 * <p>Nobody reads a socket while its request is being worked on, so nobody would notice that the
 * client is gone. While a handler watches, a virtual thread waits for the next bytes: the end of
 * the input means that nobody waits for the answer any more; bytes are the beginning of the next
 * request and are kept for it. When the next request is to be read before the waiting ended, its
 * reader joins the wait. A client that closes only its sending side counts as gone; once bytes of a
 * next request arrived, nothing more is noticed until it is read.
 *
 * <p>A request that has begun must come on: one that falls silent in its middle, only trickles, or
 * takes very long in all is given up. Between two requests a connection may rest.
 *
 * <p>All methods belong to the connection's thread.
 */
final class ReadAhead implements Supplier<byte @Nullable []> {
  /** Until a request is given up that comes steadily, but slower than {@link #NANOS_PER_BYTE}. */
  private static final int HEAD_START = 2;

  /** 16 KiB in a second. */
  private static final long NANOS_PER_BYTE = 1_000_000_000L / (16 << 10);

  /** Until a request is given up at any speed: what it declares is kept free for it meanwhile. */
  private static final int WHOLE = 20;

  private static final int RESTS = 10;

  private final Supplier<byte @Nullable []> socket;
  private final Ambient ambient;
  private final long patience; // nanoseconds
  private @Nullable Wait wait;
  private boolean resting = true; // no byte of the next request came
  private long begun; // when the first did
  private boolean hurried;
  private long hurriedUntil;
  private long received;

  /**
   * @param socket waits for bytes; null at the end of the input, throws {@link
   *     UncheckedIOException} when the connection broke
   * @param patience with a client that is silent in the middle of its request
   */
  ReadAhead(Supplier<byte @Nullable []> socket, Duration patience, Ambient ambient) {
    this.socket = socket;
    this.patience = patience.toNanos();
    this.ambient = ambient;
  }

  /** The next bytes; null at the end of the input. */
  @Override
  public byte @Nullable [] get() {
    long left = left();
    if (left <= 0) {
      throw new CloseConnectionException("the client is too slow");
    }
    Wait ahead = wait == null ? start(null) : wait;
    byte[] bytes = ahead.join(left);
    wait = null;
    if (resting) {
      resting = false;
      begin();
    }
    received += bytes == null ? 0 : bytes.length;
    return bytes;
  }

  /** How long the next bytes may take; the first of a request have much longer. */
  private long left() {
    if (hurried) {
      return Math.min(patience, hurriedUntil - ambient.nanoTime());
    }
    if (resting) {
      return RESTS * patience;
    }
    long steady = HEAD_START * patience + received * NANOS_PER_BYTE;
    long until = begun + Math.min(steady, WHOLE * patience);
    return Math.min(patience, until - ambient.nanoTime());
  }

  /** From now on whatever the client still sends may take so long in all, and no longer. */
  void hurry(Duration atMost) {
    hurried = true;
    hurriedUntil = ambient.nanoTime() + atMost.toNanos();
  }

  private Wait start(@Nullable Runnable whenGone) {
    var started = new Wait(socket, whenGone);
    wait = started;
    ambient.start("client-watch", started);
    return started;
  }

  /**
   * From now on runs the action, at most once and on another thread, when the client goes away. The
   * request must have been read to its end. A former action is forgotten.
   */
  void watch(Runnable whenGone) {
    Wait ahead = wait;
    if (ahead == null) {
      start(whenGone);
    } else {
      ahead.watch(whenGone);
    }
  }

  /**
   * The next request is to be read.
   *
   * @param partlyHere some of it came with the one before, so that the client is in the middle of
   *     it
   */
  void nextRequest(boolean partlyHere) {
    resting = !partlyHere;
    if (partlyHere) {
      begin();
    }
  }

  private void begin() {
    begun = ambient.nanoTime();
    received = 0;
  }

  /** The request is over: nothing is to be run any more when the client goes away. */
  void release() {
    Wait ahead = wait;
    if (ahead != null) {
      ahead.whenGone.set(null);
    }
  }

  /** One read, going on. */
  private static final class Wait implements Runnable {
    private final Supplier<byte @Nullable []> socket;
    private final AtomicReference<@Nullable Runnable> whenGone;
    private final CountDownLatch over = new CountDownLatch(1);
    private byte @Nullable [] bytes; // written before over is counted down, read after
    private @Nullable RuntimeException broken;

    Wait(Supplier<byte @Nullable []> socket, @Nullable Runnable whenGone) {
      this.socket = socket;
      this.whenGone = new AtomicReference<>(whenGone);
    }

    @Override
    public void run() {
      try {
        bytes = socket.get();
      } catch (RuntimeException e) {
        broken = e;
      } finally {
        over.countDown();
      }
      if (bytes == null) {
        tellOnce();
      }
    }

    private void tellOnce() {
      Runnable action = whenGone.getAndSet(null);
      if (action != null) {
        action.run();
      }
    }

    void watch(Runnable action) {
      whenGone.set(action);
      if (over.getCount() == 0 && bytes == null) {
        tellOnce();
      }
    }

    byte @Nullable [] join(long nanos) {
      try {
        if (!over.await(nanos, TimeUnit.NANOSECONDS)) {
          throw new CloseConnectionException("the client does not go on");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CloseConnectionException("the server stops");
      }
      if (broken != null) {
        throw new ServerConnectionException("the connection broke", broken);
      }
      return bytes;
    }
  }
}
