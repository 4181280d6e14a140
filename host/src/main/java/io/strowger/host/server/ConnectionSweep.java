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
 * All connections of a host, and the one service thread that looks after them, so that no request
 * pays a timer or a second thread. It starts watching the clients of requests that are in work for
 * longer than a tick, and gives up clients that send or read too slowly. Safe on any thread.
 */
final class ConnectionSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHost.class);
  private static final Duration TICK = Duration.ofMillis(15);

  /** All connections are looked at each so many ticks, those with requests in work each tick. */
  private static final int ROUND = 16;

  /** So long a connection may take to be closed. */
  private static final Duration CLOSES_WITHIN = Duration.ofMillis(1500);

  /** After so long without it, what goes wrong is logged again. */
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final Ambient ambient;
  private final Set<HttpConnection> all = ConcurrentHashMap.newKeySet();
  private final Queue<HttpConnection> arrived = new ConcurrentLinkedQueue<>();
  private final Semaphore wake = new Semaphore(0);
  private final Queue<Closing> closing = new ConcurrentLinkedQueue<>();
  private final List<HttpConnection> busy = new ArrayList<>(); // the service's
  private final Trouble ticks = new Trouble("the client of a request in work is not watched");
  private final Trouble rounds = new Trouble("a slow client could not be given up");
  private volatile boolean dozing;
  private volatile boolean closed;

  /**
   * A connection that is being closed, without the memory it had.
   *
   * @param since on {@link Ambient#nanoTime()}
   */
  private record Closing(Channel channel, long since) {}

  /** What may go wrong again and again: logged once, until it went well for a while. */
  private final class Trouble {
    private final String what;
    private boolean happened;
    private long last; // time

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
   * A connection is over, and will be closed now.
   *
   * @param channel is closed by the sweep when that does not happen within a second or two
   */
  void remove(HttpConnection connection, Channel channel) {
    closing.add(new Closing(channel, ambient.nanoTime()));
    all.remove(connection);
  }

  /** Returns how many connections there are, those included that are being closed. */
  int connections() {
    return all.size() + closing.size();
  }

  /** Closes the channel of a connection, and nothing else of it. */
  static void breakOff(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("a connection did not close", e); // it is closed all the same
    }
  }

  /** Looks at a connection each tick until {@link HttpConnection#staysBusy()} says no. */
  void addBusy(HttpConnection connection) {
    arrived.add(connection);
    if (dozing) {
      wake.release();
    }
  }

  /** Cancels every request. */
  void cancelAll(Cancellation.Cause why) {
    for (HttpConnection connection : all) {
      HttpServerExchange exchange = connection.exchange();
      if (exchange != null) {
        try {
          exchange.cancellation().cancel(why);
        } catch (RuntimeException | Error e) {
          LOG.error("cancelling a request at shutdown failed", e); // the others are
        }
      }
    }
  }

  private void run() {
    int since = 0; // the last round, in ticks
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

  /** Nothing ends the one thread that keeps the bounds, not even an error. */
  private void lap(boolean isRound) {
    try {
      tick();
      if (isRound) {
        round();
      }
    } catch (RuntimeException | Error e) {
      // no memory for a log entry, perhaps; the next lap tries again
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
      return all.contains(connection); // tried again while it is there
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

  /** Waits for a tick, or up to a round while no request is in work; returns the ticks. */
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

  /** Ends the service, and breaks off what is not over yet: nobody bounds it any more. */
  @Override
  public void close() {
    closed = true;
    wake.release();
    all.forEach(HttpConnection::breakOff);
    closing.forEach(one -> breakOff(one.channel()));
  }
}
