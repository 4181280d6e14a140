package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.strowger.spi.ambient.Ambient;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
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
 * <p>All methods belong to the connection's thread.
 */
final class ReadAhead implements Supplier<byte @Nullable []> {
  private final Supplier<byte @Nullable []> socket;
  private final Ambient ambient;
  private @Nullable Wait wait;

  /**
   * @param socket waits for bytes; null at the end of the input, throws {@link
   *     UncheckedIOException} when the connection broke
   */
  ReadAhead(Supplier<byte @Nullable []> socket, Ambient ambient) {
    this.socket = socket;
    this.ambient = ambient;
  }

  /** The next bytes; null at the end of the input. */
  @Override
  public byte @Nullable [] get() {
    Wait ahead = wait;
    if (ahead == null) {
      try {
        return socket.get();
      } catch (UncheckedIOException e) {
        throw new ServerConnectionException("the connection broke", e);
      }
    }
    wait = null;
    return ahead.join();
  }

  /**
   * From now on runs the action, at most once and on another thread, when the client goes away. The
   * request must have been read to its end. A former action is forgotten.
   */
  void watch(Runnable whenGone) {
    Wait ahead = wait;
    if (ahead == null) {
      ahead = new Wait(socket, whenGone);
      wait = ahead;
      ambient.start("client-watch", ahead);
    } else {
      ahead.watch(whenGone);
    }
  }

  /** Nothing is to be run any more when the client goes away. */
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

    Wait(Supplier<byte @Nullable []> socket, Runnable whenGone) {
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

    byte @Nullable [] join() {
      try {
        over.await();
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
