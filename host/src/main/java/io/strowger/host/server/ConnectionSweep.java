package io.strowger.host.server;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All connections of a host, and the service thread that checks them periodically, so that no
 * request needs a timer or a second thread. It starts a watcher for the client of a request that is
 * in progress for longer than a tick, and gives up clients that send or read too slowly. Safe on
 * any thread.
 */
final class ConnectionSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHost.class);
  private static final Duration TICK = Duration.ofMillis(15);

  /**
   * The number of ticks between checks of all connections; those with a request in progress are
   * checked at every tick.
   */
  private static final int TICKS_PER_ROUND = 16;

  /** How long closing a connection may take before its channel is closed. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(1500);

  /** How long a failure must not have occurred before it is logged again. */
  private static final Duration LOG_AGAIN_AFTER = Duration.ofMinutes(1);

  private final Ambient ambient;
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
  private final Queue<HttpConnection> newlyBusy = new ConcurrentLinkedQueue<>();
  private final Semaphore wake = new Semaphore(0);
  private final Queue<Closing> closing = new ConcurrentLinkedQueue<>();
  private final List<HttpConnection> busy = new ArrayList<>(); // confined to the service thread
  private final RecurringFailure tickFailures =
      new RecurringFailure(
          "could not check whether the client of a request in progress is still there");
  private final RecurringFailure roundFailures =
      new RecurringFailure("a slow client could not be given up");
  private volatile boolean isIdle;
  private volatile boolean closed;

  /**
   * A connection that is being closed; it keeps only the channel in memory.
   *
   * @param since on {@link Ambient#nanoTime()}
   */
  private record Closing(Channel channel, long since) {}

  /**
   * A failure that may recur: logged once, and again only after it has not occurred for a while.
   */
  private final class RecurringFailure {
    private final String message;
    private boolean hasOccurred;
    private long lastTime; // on Ambient.nanoTime()

    RecurringFailure(String message) {
      this.message = message;
    }

    void report(Throwable failure) {
      long now = ambient.nanoTime();
      boolean isNew = !hasOccurred || now - lastTime >= LOG_AGAIN_AFTER.toNanos();
      hasOccurred = true;
      lastTime = now;
      if (isNew) {
        LOG.error(message, failure);
      }
    }
  }

  ConnectionSweep(Ambient ambient) {
    this.ambient = ambient;
  }

  void start() {
    ambient.startService("connection-sweep", this::run);
  }

  void add(HttpConnection connection) {
    connections.add(connection);
  }

  /**
   * Removes a connection that is about to be closed.
   *
   * @param channel closed by the sweep if it is still open after a second or two
   */
  void remove(HttpConnection connection, Channel channel) {
    closing.add(new Closing(channel, ambient.nanoTime()));
    connections.remove(connection);
  }

  /** Returns the number of connections, including those that are being closed. */
  int connections() {
    return connections.size() + closing.size();
  }

  /** Aborts a connection by closing its channel. */
  static void breakOff(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("a connection did not close", e); // the channel is closed even so
    }
  }

  /** Checks a connection at every tick until {@link HttpConnection#staysBusy()} returns false. */
  void addBusy(HttpConnection connection) {
    newlyBusy.add(connection);
    if (isIdle) {
      wake.release();
    }
  }

  /** Cancels every request in progress. */
  void cancelAll(Cancellation.Cause cause) {
    for (HttpConnection connection : connections) {
      HttpServerExchange exchange = connection.exchange();
      if (exchange != null) {
        try {
          exchange.cancellation().cancel(cause);
        } catch (RuntimeException | Error e) {
          LOG.error("cancelling a request at shutdown failed", e); // continue with the others
        }
      }
    }
  }

  private void run() {
    int ticksSinceRound = 0; // ticks since the last round
    try {
      while (!closed) {
        ticksSinceRound += pause();
        boolean isRound = ticksSinceRound >= TICKS_PER_ROUND;
        ticksSinceRound = isRound ? 0 : ticksSinceRound;
        runTick(isRound);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs one tick. Not even an error may end the only thread that enforces the limits. */
  private void runTick(boolean isRound) {
    try {
      checkBusy();
      if (isRound) {
        checkAll();
      }
    } catch (RuntimeException | Error e) {
      // perhaps there was no memory for a log entry; the next tick tries again
    }
  }

  private void checkBusy() {
    for (HttpConnection next = newlyBusy.peek(); next != null; next = newlyBusy.peek()) {
      busy.add(next);
      newlyBusy.remove();
    }
    busy.removeIf(connection -> !staysBusy(connection));
  }

  private boolean staysBusy(HttpConnection connection) {
    try {
      return connection.staysBusy();
    } catch (RuntimeException | Error e) {
      tickFailures.report(e);
      return connections.contains(connection); // retried until the connection is removed
    }
  }

  private void checkAll() {
    long now = ambient.nanoTime();
    for (HttpConnection connection : connections) {
      try {
        connection.checkTimeouts(now);
      } catch (RuntimeException | Error e) {
        roundFailures.report(e);
      }
    }
    closing.removeIf(entry -> isClosed(entry, now));
  }

  private static boolean isClosed(Closing connection, long now) {
    if (connection.channel().isOpen() && now - connection.since() < CLOSE_TIMEOUT.toNanos()) {
      return false;
    }
    breakOff(connection.channel());
    return true;
  }

  /**
   * Waits for a tick, or up to a round while no request is in progress, and returns the number of
   * ticks.
   */
  private int pause() throws InterruptedException {
    if (!busy.isEmpty()) {
      wake.tryAcquire(TICK.toNanos(), TimeUnit.NANOSECONDS);
      return 1;
    }
    wake.drainPermits();
    isIdle = true;
    boolean woken = false;
    if (newlyBusy.isEmpty() && !closed) {
      woken = wake.tryAcquire(TICKS_PER_ROUND * TICK.toNanos(), TimeUnit.NANOSECONDS);
    }
    isIdle = false;
    return woken ? 1 : TICKS_PER_ROUND;
  }

  /**
   * Ends the service thread and aborts the remaining connections, since nothing limits them any
   * more.
   */
  @Override
  public void close() {
    closed = true;
    wake.release();
    connections.forEach(HttpConnection::breakOff);
    closing.forEach(connection -> breakOff(connection.channel()));
  }
}
