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
 * A pool of connections by route, which is a server and a pool key; the one used last is reused
 * first. A request that finds none opens one, unless the limit is reached: then it waits for its
 * turn, first come, first served.
 *
 * <p>Without limits each route has its own lock, and requests wait only for those of their route;
 * with limits all routes share one lock, which also guards the counts. It is held only briefly, and
 * never while something is read or written.
 */
final class ConnectionPool {
  /** The number of connections that a sweep checks before it releases the route's lock. */
  private static final int LOOKED_AT = 16;

  private final int perServer;
  private final int total;
  private final TimeValue idleKept;
  private final @Nullable ReentrantLock shared; // null without limits
  private final ConcurrentMap<Key, RoutePool> routes = new ConcurrentHashMap<>();
  private final Set<PooledConnection> all = ConcurrentHashMap.newKeySet();
  private final Deque<Waiter> waiting = new ArrayDeque<>(); // guarded by the shared lock
  private volatile boolean closed;

  private record Key(UpstreamAddress.Server server, Object poolKey) {}

  /** The idle connections of one route, which can replace each other. */
  final class RoutePool {
    private final Key key;
    private final ReentrantLock lock = shared == null ? new ReentrantLock() : shared;
    private final ArrayDeque<PooledConnection> idle = new ArrayDeque<>();
    private int made; // number of connections, idle or leased
    private boolean gone; // removed from the routes

    private RoutePool(Key key) {
      this.key = key;
    }
  }

  /** A request that waits for a connection. Guarded by the shared lock. */
  static final class Waiter {
    private final RoutePool route;
    private final Condition changed;
    private @Nullable PooledConnection granted;
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
  interface Waits {
    /**
     * @param waiter the waiter; null when the wait is over
     */
    void on(@Nullable Waiter waiter);
  }

  ConnectionPool(ApacheTransport.Limits limits, TimeValue idleKept) {
    this.perServer = limits.perRoute();
    this.total = limits.total();
    this.idleKept = idleKept;
    this.shared =
        perServer == Integer.MAX_VALUE && total == Integer.MAX_VALUE ? null : new ReentrantLock();
  }

  /**
   * Leases an idle connection, or a new one that is not connected yet. The caller returns it with
   * {@link #putBack} or {@link #discard}.
   *
   * @param patience how long to wait for a connection
   * @param waits receives the waiter when this waits
   * @throws Transport.NoFreeConnectionException when none became free in time
   * @throws InterruptedIOException when the wait was cancelled
   */
  PooledConnection lease(
      UpstreamAddress.Server server, Object poolKey, Duration patience, Waits waits)
      throws IOException {
    var key = new Key(server, poolKey);
    while (true) {
      RoutePool route = routes.computeIfAbsent(key, RoutePool::new);
      route.lock.lock();
      try {
        if (!route.gone) {
          checkOpen();
          PooledConnection found = take(route);
          return found != null ? found : await(route, patience, waits);
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
    return shared == null || makesRoom(route) ? make(route) : null;
  }

  private PooledConnection make(RoutePool route) {
    var made = new PooledConnection(route);
    route.made++;
    all.add(made);
    return made;
  }

  /** Returns whether a connection may be added, if need be after closing an idle one. */
  private boolean makesRoom(RoutePool route) {
    int ofServer = 0;
    @Nullable PooledConnection neighbour = null;
    @Nullable PooledConnection stranger = null;
    for (RoutePool other : routes.values()) {
      if (other.key.server().equals(route.key.server())) {
        ofServer += other.made;
        neighbour = neighbour == null ? other.idle.peekFirst() : neighbour;
      } else {
        stranger = stranger == null ? other.idle.peekFirst() : stranger;
      }
    }
    boolean full = all.size() >= total;
    if (ofServer < perServer && !full) {
      return true;
    }
    PooledConnection given = neighbour != null || ofServer >= perServer ? neighbour : stranger;
    if (given == null) {
      return false;
    }
    given.route().idle.remove(given);
    forget(given);
    clear(given.route());
    return true;
  }

  /** Waits for a connection. Under the lock, which is released while waiting. */
  private PooledConnection await(RoutePool route, Duration patience, Waits waits)
      throws IOException {
    var waiter = new Waiter(route);
    waiting.add(waiter);
    try {
      waits.on(waiter);
      long left = Math.max(1, patience.toNanos());
      while (waiter.granted == null && !waiter.cancelled && !closed && left > 0) {
        left = waiter.changed.awaitNanos(left);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      waiter.cancelled = true;
    } finally {
      waits.on(null);
      waiting.remove(waiter);
    }
    PooledConnection granted = waiter.granted;
    if (granted != null) {
      return granted;
    }
    checkOpen();
    if (waiter.cancelled) {
      throw new InterruptedIOException("cancelled while it waited for a connection");
    }
    throw new Transport.NoFreeConnectionException(null);
  }

  /** Gives what became free to the longest waiter that can use it. Under the lock. */
  private void grant() {
    for (Waiter waiter : waiting) {
      if (waiter.granted == null && !waiter.cancelled) {
        waiter.granted = take(waiter.route);
        if (waiter.granted != null) {
          waiter.changed.signal();
          return;
        }
      }
    }
  }

  /** Returns a connection that can be reused. */
  void putBack(PooledConnection connection) {
    RoutePool route = connection.route();
    route.lock.lock();
    try {
      if (closed) {
        forget(connection);
        return;
      }
      connection.rest(idleKept);
      route.idle.addLast(connection);
      if (shared != null) {
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
      if (shared != null) {
        grant();
      }
      clear(route);
    } finally {
      route.lock.unlock();
    }
  }

  /** Closes and removes a connection. Under the lock; closing never blocks. */
  private void forget(PooledConnection connection) {
    connection.abort();
    all.remove(connection);
    connection.route().made--;
  }

  /** Removes an empty route, since credentials come and go. Under the lock. */
  private void clear(RoutePool route) {
    if (route.made == 0 && !route.gone && !isWaitedAt(route)) {
      route.gone = true;
      routes.remove(route.key, route);
    }
  }

  private boolean isWaitedAt(RoutePool route) {
    for (Waiter waiter : waiting) {
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
      int left = LOOKED_AT;
      for (int from = 0; left == LOOKED_AT; from += LOOKED_AT) {
        left = sweep(route, from);
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
  private int sweep(RoutePool route, int from) {
    route.lock.lock();
    try {
      List<PooledConnection> few = route.idle.stream().skip(from).limit(LOOKED_AT).toList();
      for (PooledConnection one : few) {
        if (one.isExpired() || !one.isQuiet()) {
          route.idle.remove(one);
          forget(one);
        }
      }
      clear(route);
      return few.size();
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
    for (PooledConnection one : all) {
      one.endSilence(now);
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
        for (Waiter waiter : waiting) {
          waiter.changed.signal();
        }
      } finally {
        route.lock.unlock();
      }
    }
    all.forEach(PooledConnection::abort);
  }

  boolean isClosed() {
    return closed;
  }

  /** Returns the number of connections in use. */
  int leased() {
    return all.size() - idle();
  }

  /** Returns the number of idle connections. */
  int idle() {
    int idle = 0;
    for (RoutePool route : routes.values()) {
      route.lock.lock();
      try {
        idle += route.idle.size();
      } finally {
        route.lock.unlock();
      }
    }
    return idle;
  }
}
