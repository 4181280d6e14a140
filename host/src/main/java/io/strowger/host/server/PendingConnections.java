package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the memory of the connections that wait for a request head: those that are idle between
 * two requests, and those that send slowly. Their clients have shown no credential yet, so nothing
 * else bounds their memory. When together they exceed the limit, those that have waited longest are
 * closed, and new ones are still accepted, since a normal client sends its head at once. Safe on
 * any thread.
 */
final class PendingConnections {
  /** The bytes a connection is charged with before it has sent anything (measured: 27 KiB). */
  static final long PLAIN = 28 * 1024;

  /**
   * The bytes a TLS connection is charged with, including the buffers of both directions (measured:
   * 95 KiB).
   */
  static final long TLS = 96 * 1024;

  /** The reason given for closing a connection. */
  static final String GIVEN_UP = "others need the memory";

  /** Each byte of a head is held twice: as received and as parsed. */
  private static final int COPIES = 2;

  private final long most;
  private final ReentrantLock lock = new ReentrantLock();
  // guarded by lock, as are all fields that change
  private final LinkedHashSet<Waiting> waiting = new LinkedHashSet<>();
  private long used;

  /**
   * @param most the most bytes of memory for all of them together
   */
  PendingConnections(long most) {
    this.most = most;
  }

  /**
   * Returns an instance limited to a quarter of the heap, in addition to the limit of requests in
   * flight.
   */
  static PendingConnections ofHeap() {
    return new PendingConnections(Runtime.getRuntime().maxMemory() / 4);
  }

  /** A connection that waits for a head. */
  static final class Waiting {
    private final Runnable giveUp;
    private long bytes;

    private Waiting(long bytes, Runnable giveUp) {
      this.bytes = bytes;
      this.giveUp = giveUp;
    }
  }

  /**
   * Adds a connection that waits for a head from now on.
   *
   * @param connection {@link #PLAIN} or {@link #TLS}
   * @param giveUp ends the connection's wait, even one that has not begun; must not block
   */
  Waiting enter(long connection, Runnable giveUp) {
    var one = new Waiting(connection, giveUp);
    lock.lock();
    try {
      waiting.add(one);
      used += one.bytes;
      trim();
    } finally {
      lock.unlock();
    }
    return one;
  }

  /** Charges a connection for bytes of its head that were received. */
  void received(Waiting one, int bytes) {
    lock.lock();
    try {
      if (waiting.contains(one)) {
        one.bytes += (long) COPIES * bytes;
        used += (long) COPIES * bytes;
        trim();
      }
    } finally {
      lock.unlock();
    }
  }

  private void trim() {
    Iterator<Waiting> eldest = waiting.iterator();
    while (used > most && eldest.hasNext()) {
      Waiting one = eldest.next();
      eldest.remove();
      used -= one.bytes;
      one.giveUp.run(); // safe to call here: the connection has no request in progress
    }
  }

  /** Returns the bytes charged to all waiting connections. */
  long used() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  /** Removes a connection whose wait ended before it was recorded. */
  void forget(Waiting one) {
    lock.lock();
    try {
      if (waiting.remove(one)) {
        used -= one.bytes;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes a connection that waits no longer.
   *
   * @throws CloseConnectionException when the connection was given up to free memory
   */
  void leave(Waiting one) {
    lock.lock();
    try {
      if (!waiting.remove(one)) {
        throw new CloseConnectionException(GIVEN_UP);
      }
      used -= one.bytes;
    } finally {
      lock.unlock();
    }
  }
}
