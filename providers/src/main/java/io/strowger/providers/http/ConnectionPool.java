package io.strowger.providers.http;

import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * A pool of connections by route. A route is a server and a pool key; its most recently used
 * connection is reused first. A request that finds no idle connection opens a new one. If the limit
 * is reached, the request waits for its turn, first come, first served.
 *
 * <p>Without limits each route has its own lock, and requests wait only for those of their route;
 * with limits all routes share one lock, which also guards the counts. A lock is held only briefly,
 * and never while something is read or written.
 */
final class ConnectionPool {
  /** The number of connections that a sweep checks before it releases the route's lock. */
  private static final int SWEEP_BATCH = 16;

  private final int perServer;
  private final int total;
  private final TimeValue idleTimeout;
  private final @Nullable ReentrantLock sharedLock; // null without limits
  private final ConcurrentMap<Key, RoutePool> routes = new ConcurrentHashMap<>();
  private final Set<PooledConnection> connections = ConcurrentHashMap.newKeySet();
  private final Deque<Waiter> waiters = new ArrayDeque<>(); // guarded by the shared lock
  private volatile boolean closed;

  private record Key(UpstreamAddress.Server server, Object poolKey) {}

  /** The idle connections of one route, which are interchangeable. */
  final class RoutePool {
    private final Key key;
    private final ReentrantLock lock = sharedLock == null ? new ReentrantLock() : sharedLock;
    private final ArrayDeque<PooledConnection> idle = new ArrayDeque<>();
    private int connectionCount; // number of connections, idle or leased
    private boolean removed; // removed from the routes

    private RoutePool(Key key) {
      this.key = key;
    }
  }

  /** A request that waits for a connection. Guarded by the shared lock. */
  static final class Waiter {
    private final RoutePool route;
    private final Condition changed;
    private @Nullable PooledConnection connection;
    private boolean cancelled;

    private Waiter(RoutePool route) {
      this.route = route;
      this.changed = route.lock.newCondition();
    }

    /** Ends the wait. Any thread. */
    void cancel() {
      route.lock.lock();
      try {
        cancelled = true;
        changed.signal();
      } finally {
        route.lock.unlock();
      }
    }
  }

  /** Receives the waiter, so that the wait can be ended. */
  @FunctionalInterface
  interface WaitListener {
    /**
     * Called when a wait begins, and when it is over.
     *
     * @param waiter the waiter; null when the wait is over
     */
    void onWait(@Nullable Waiter waiter);
  }

  ConnectionPool(ApacheTransport.Limits limits, TimeValue idleTimeout) {
    this.perServer = limits.perServer();
    this.total = limits.total();
    this.idleTimeout = idleTimeout;
    this.sharedLock =
        perServer == Integer.MAX_VALUE && total == Integer.MAX_VALUE ? null : new ReentrantLock();
  }

  /**
   * Leases an idle connection, or a new one that is not connected yet. The caller returns it with
   * {@link #putBack} or {@link #discard}.
   *
   * @param timeout how long to wait for a connection
   * @param listener receives the waiter when this waits
   * @throws Transport.NoFreeConnectionException when none became free in time
   * @throws InterruptedIOException when the wait was cancelled
   */
  PooledConnection lease(
      UpstreamAddress.Server server, Object poolKey, Duration timeout, WaitListener listener)
      throws IOException {
    var key = new Key(server, poolKey);
    while (true) {
      RoutePool route = routes.computeIfAbsent(key, RoutePool::new);
      route.lock.lock();
      try {
        if (!route.removed) {
          checkOpen();
          PooledConnection connection = take(route);
          return connection != null ? connection : await(route, timeout, listener);
        }
      } finally {
        route.lock.unlock();
      }
    }
  }

  private void checkOpen() throws InterruptedIOException {
    if (closed) {
      throw new InterruptedIOException("the transport is closed");
    }
  }

  /** Takes an idle or new connection; null when the limit is reached. Under the lock. */
  private @Nullable PooledConnection take(RoutePool route) {
    for (PooledConnection last = route.idle.pollLast();
        last != null;
        last = route.idle.pollLast()) {
      if (!last.isExpired()) {
        return last;
      }
      forget(last);
    }
    return sharedLock == null || makeRoom(route) ? create(route) : null;
  }

  private PooledConnection create(RoutePool route) {
    var connection = new PooledConnection(route);
    route.connectionCount++;
    connections.add(connection);
    return connection;
  }

  /** Returns whether a connection may be added; closes an idle one if that is needed for it. */
  private boolean makeRoom(RoutePool route) {
    int serverCount = 0;
    @Nullable PooledConnection idleOfServer = null;
    @Nullable PooledConnection idleOfOtherServer = null;
    for (RoutePool candidate : routes.values()) {
      if (candidate.key.server().equals(route.key.server())) {
        serverCount += candidate.connectionCount;
        idleOfServer = idleOfServer == null ? candidate.idle.peekFirst() : idleOfServer;
      } else {
        idleOfOtherServer =
            idleOfOtherServer == null ? candidate.idle.peekFirst() : idleOfOtherServer;
      }
    }
    boolean isFull = connections.size() >= total;
    if (serverCount < perServer && !isFull) {
      return true;
    }
    PooledConnection victim =
        idleOfServer != null || serverCount >= perServer ? idleOfServer : idleOfOtherServer;
    if (victim == null) {
      return false;
    }
    victim.route().idle.remove(victim);
    forget(victim);
    removeIfEmpty(victim.route());
    return true;
  }

  /** Waits for a connection. Under the lock, which is released while waiting. */
  private PooledConnection await(RoutePool route, Duration timeout, WaitListener listener)
      throws IOException {
    var waiter = new Waiter(route);
    waiters.add(waiter);
    try {
      listener.onWait(waiter);
      long remainingNanos = Math.max(1, timeout.toNanos());
      while (waiter.connection == null && !waiter.cancelled && !closed && remainingNanos > 0) {
        remainingNanos = waiter.changed.awaitNanos(remainingNanos);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      waiter.cancelled = true;
    } finally {
      listener.onWait(null);
      waiters.remove(waiter);
    }
    PooledConnection connection = waiter.connection;
    if (connection != null) {
      return connection;
    }
    checkOpen();
    if (waiter.cancelled) {
      throw new InterruptedIOException("cancelled while it waited for a connection");
    }
    throw new Transport.NoFreeConnectionException(null);
  }

  /**
   * Lets one waiter take a connection, after one became free: of the waiters that can have one, the
   * one that has waited longest. Under the lock.
   */
  private void grant() {
    for (Waiter waiter : waiters) {
      if (waiter.connection == null && !waiter.cancelled) {
        waiter.connection = take(waiter.route);
        if (waiter.connection != null) {
          waiter.changed.signal();
          return;
        }
      }
    }
  }

  /** Puts a leased connection back, so that it can be reused. */
  void putBack(PooledConnection connection) {
    RoutePool route = connection.route();
    route.lock.lock();
    try {
      if (closed) {
        forget(connection);
        return;
      }
      connection.markIdle(idleTimeout);
      route.idle.addLast(connection);
      if (sharedLock != null) {
        grant();
      }
    } finally {
      route.lock.unlock();
    }
  }

  /** Closes a leased connection. */
  void discard(PooledConnection connection) {
    connection.abort();
    RoutePool route = connection.route();
    route.lock.lock();
    try {
      forget(connection);
      if (sharedLock != null) {
        grant();
      }
      removeIfEmpty(route);
    } finally {
      route.lock.unlock();
    }
  }

  /** Closes and removes a connection. Under the lock; closing never blocks. */
  private void forget(PooledConnection connection) {
    connection.abort();
    connections.remove(connection);
    connection.route().connectionCount--;
  }

  /** Removes an empty route, since credentials come and go. Under the lock. */
  private void removeIfEmpty(RoutePool route) {
    if (route.connectionCount == 0 && !route.removed && !hasWaiter(route)) {
      route.removed = true;
      routes.remove(route.key, route);
    }
  }

  private boolean hasWaiter(RoutePool route) {
    for (Waiter waiter : waiters) {
      if (waiter.route == route) {
        return true;
      }
    }
    return false;
  }

  /**
   * Closes every idle connection that its upstream has closed or written to, and those that have
   * been idle too long.
   */
  void sweep() {
    for (RoutePool route : routes.values()) {
      int checked = SWEEP_BATCH;
      for (int offset = 0; checked == SWEEP_BATCH; offset += SWEEP_BATCH) {
        checked = sweep(route, offset);
      }
    }
  }

  /**
   * Checks a few connections, so that requests do not wait for the check of all. Requests take and
   * return connections at the other end of the queue; a connection that moves meanwhile is checked
   * by the next sweep.
   *
   * @return the number of connections checked
   */
  private int sweep(RoutePool route, int offset) {
    route.lock.lock();
    try {
      List<PooledConnection> batch = route.idle.stream().skip(offset).limit(SWEEP_BATCH).toList();
      for (PooledConnection connection : batch) {
        if (connection.isExpired() || !connection.isQuiet()) {
          route.idle.remove(connection);
          forget(connection);
        }
      }
      removeIfEmpty(route);
      return batch.size();
    } finally {
      route.lock.unlock();
    }
  }

  /**
   * Closes every connection whose upstream keeps its reader waiting for too long.
   *
   * @param now the current reading of the ambient's nanosecond clock
   */
  void endSilence(long now) {
    for (PooledConnection connection : connections) {
      connection.endSilence(now);
    }
  }

  /** Closes all connections, including those in use, and creates no more. */
  void close() {
    closed = true;
    for (RoutePool route : routes.values()) {
      route.lock.lock(); // requests that missed the flag have added their connections by now
      try {
        for (PooledConnection idle = route.idle.poll(); idle != null; idle = route.idle.poll()) {
          forget(idle);
        }
        for (Waiter waiter : waiters) {
          waiter.changed.signal();
        }
      } finally {
        route.lock.unlock();
      }
    }
    connections.forEach(PooledConnection::abort);
  }

  boolean isClosed() {
    return closed;
  }

  /** Returns the number of connections in use. */
  int leasedCount() {
    return connections.size() - idleCount();
  }

  /** Returns the number of idle connections. */
  int idleCount() {
    int count = 0;
    for (RoutePool route : routes.values()) {
      route.lock.lock();
      try {
        count += route.idle.size();
      } finally {
        route.lock.unlock();
      }
    }
    return count;
  }
}
