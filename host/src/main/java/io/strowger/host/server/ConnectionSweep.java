package io.strowger.host.server;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
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

  private final Ambient ambient;
  private final Set<HttpConnection> all = ConcurrentHashMap.newKeySet();
  private final Queue<HttpConnection> arrived = new ConcurrentLinkedQueue<>();
  private final Semaphore wake = new Semaphore(0);
  private final List<HttpConnection> busy = new ArrayList<>(); // the service's
  private volatile boolean dozing;
  private volatile boolean closed;

  ConnectionSweep(Ambient ambient) {
    this.ambient = ambient;
  }

  void start() {
    ambient.startService("connection-sweep", this::run);
  }

  void add(HttpConnection connection) {
    all.add(connection);
  }

  void remove(HttpConnection connection) {
    all.remove(connection);
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
      Exchange exchange = connection.exchange();
      if (exchange != null) {
        exchange.cancellation().cancel(why);
      }
    }
  }

  private void run() {
    int ticks = 0;
    try {
      while (!closed) {
        ticks += pause();
        tick();
        if (ticks >= ROUND) {
          ticks = 0;
          round();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tick() {
    try {
      for (HttpConnection next = arrived.poll(); next != null; next = arrived.poll()) {
        busy.add(next);
      }
      busy.removeIf(connection -> !connection.staysBusy());
    } catch (RuntimeException e) {
      LOG.error("the clients of requests in work could not be watched", e); // the others are
    }
  }

  private void round() {
    long now = ambient.nanoTime();
    for (HttpConnection connection : all) {
      try {
        connection.checkTimeouts(now);
      } catch (RuntimeException e) {
        LOG.error("a slow client could not be given up", e);
      }
    }
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

  @Override
  public void close() {
    closed = true;
    wake.release();
  }
}
