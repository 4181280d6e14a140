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
  private static final int ROUND = 16;

  /** How long closing a connection may take before its channel is closed. */
  private static final Duration CLOSES_WITHIN = Duration.ofMillis(1500);

  /** How long a failure must not have occurred before it is logged again. */
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final Ambient ambient;
  private final Set<HttpConnection> all = ConcurrentHashMap.newKeySet();
  private final Queue<HttpConnection> arrived = new ConcurrentLinkedQueue<>();
  private final Semaphore wake = new Semaphore(0);
  private final Queue<Closing> closing = new ConcurrentLinkedQueue<>();
  private final List<HttpConnection> busy = new ArrayList<>(); // confined to the service thread
  private final Trouble ticks = new Trouble("the client of a request in work is not watched");
  private final Trouble rounds = new Trouble("a slow client could not be given up");
  private volatile boolean dozing;
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
  private final class Trouble {
    private final String what;
    private boolean happened;
    private long last; // on Ambient.nanoTime()

    Trouble(String what) {
      this.what = what;
    }

    void happened(Throwable why) {
      long now = ambient.nanoTime();
      boolean isNew = !happened || now - last >= SILENCE.toNanos();
      happened = true;
      last = now;
      if (isNew) {
        LOG.error(what, why);
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
    all.add(connection);
  }

  /**
   * Removes a connection that is about to be closed.
   *
   * @param channel closed by the sweep if it is still open after a second or two
   */
  void remove(HttpConnection connection, Channel channel) {
    closing.add(new Closing(channel, ambient.nanoTime()));
    all.remove(connection);
  }

  /** Returns the number of connections, including those that are being closed. */
  int connections() {
    return all.size() + closing.size();
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
    arrived.add(connection);
    if (dozing) {
      wake.release();
    }
  }

  /** Cancels every request in progress. */
  void cancelAll(Cancellation.Cause why) {
    for (HttpConnection connection : all) {
      HttpServerExchange exchange = connection.exchange();
      if (exchange != null) {
        try {
          exchange.cancellation().cancel(why);
        } catch (RuntimeException | Error e) {
          LOG.error("cancelling a request at shutdown failed", e); // continue with the others
        }
      }
    }
  }

  private void run() {
    int since = 0; // ticks since the last round
    try {
      while (!closed) {
        since += pause();
        boolean isRound = since >= ROUND;
        since = isRound ? 0 : since;
        lap(isRound);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs one tick. Not even an error may end the only thread that enforces the limits. */
  private void lap(boolean isRound) {
    try {
      tick();
      if (isRound) {
        round();
      }
    } catch (RuntimeException | Error e) {
      // perhaps there was no memory for a log entry; the next tick tries again
    }
  }

  private void tick() {
    for (HttpConnection next = arrived.peek(); next != null; next = arrived.peek()) {
      busy.add(next);
      arrived.remove();
    }
    busy.removeIf(connection -> !staysBusy(connection));
  }

  private boolean staysBusy(HttpConnection connection) {
    try {
      return connection.staysBusy();
    } catch (RuntimeException | Error e) {
      ticks.happened(e);
      return all.contains(connection); // retried until the connection is removed
    }
  }

  private void round() {
    long now = ambient.nanoTime();
    for (HttpConnection connection : all) {
      try {
        connection.checkTimeouts(now);
      } catch (RuntimeException | Error e) {
        rounds.happened(e);
      }
    }
    closing.removeIf(one -> isClosed(one, now));
  }

  private static boolean isClosed(Closing one, long now) {
    if (one.channel().isOpen() && now - one.since() < CLOSES_WITHIN.toNanos()) {
      return false;
    }
    breakOff(one.channel());
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
    dozing = true;
    boolean woken = false;
    if (arrived.isEmpty() && !closed) {
      woken = wake.tryAcquire(ROUND * TICK.toNanos(), TimeUnit.NANOSECONDS);
    }
    dozing = false;
    return woken ? 1 : ROUND;
  }

  /**
   * Ends the service thread and aborts the remaining connections, since nothing limits them any
   * more.
   */
  @Override
  public void close() {
    closed = true;
    wake.release();
    all.forEach(HttpConnection::breakOff);
    closing.forEach(one -> breakOff(one.channel()));
  }
}
