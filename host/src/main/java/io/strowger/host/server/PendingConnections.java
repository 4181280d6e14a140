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
  static final long PLAIN_COST = 28 * 1024;

  /**
   * The bytes a TLS connection is charged with, including the buffers of both directions (measured:
   * 95 KiB).
   */
  static final long TLS_COST = 96 * 1024;

  /** The reason given for closing a connection. */
  static final String CLOSE_REASON = "other connections need the memory";

  /** Each byte of a head is held twice: as received and as parsed. */
  private static final int COPIES = 2;

  private final long maxBytes;
  private final ReentrantLock lock = new ReentrantLock();
  // guarded by lock, as are all fields that change
  private final LinkedHashSet<Waiting> waiting = new LinkedHashSet<>();
  private long usedBytes;

  /**
   * @param maxBytes the most bytes of memory for all waiting connections together
   */
  PendingConnections(long maxBytes) {
    this.maxBytes = maxBytes;
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
   * @param cost {@link #PLAIN_COST} or {@link #TLS_COST}
   * @param giveUp ends the connection's wait for a head; if it runs before the wait begins, the
   *     wait must end at once; must not block
   */
  Waiting enter(long cost, Runnable giveUp) {
    var entry = new Waiting(cost, giveUp);
    lock.lock();
    try {
      waiting.add(entry);
      usedBytes += entry.bytes;
      trim();
    } finally {
      lock.unlock();
    }
    return entry;
  }

  /** Charges a connection for bytes of its head that were received. */
  void received(Waiting entry, int bytes) {
    lock.lock();
    try {
      if (waiting.contains(entry)) {
        entry.bytes += (long) COPIES * bytes;
        usedBytes += (long) COPIES * bytes;
        trim();
      }
    } finally {
      lock.unlock();
    }
  }

  private void trim() {
    Iterator<Waiting> iterator = waiting.iterator();
    while (usedBytes > maxBytes && iterator.hasNext()) {
      Waiting entry = iterator.next();
      iterator.remove();
      usedBytes -= entry.bytes;
      entry.giveUp.run(); // safe to call here: the connection has no request in progress
    }
  }

  /** Returns the bytes charged to all waiting connections. */
  long usedBytes() {
    lock.lock();
    try {
      return usedBytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes a connection if it is still here. For callers that could not store the entry; unlike
   * {@link #leave}, this never throws.
   */
  void forget(Waiting entry) {
    lock.lock();
    try {
      if (waiting.remove(entry)) {
        usedBytes -= entry.bytes;
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
  void leave(Waiting entry) {
    lock.lock();
    try {
      if (!waiting.remove(entry)) {
        throw new CloseConnectionException(CLOSE_REASON);
      }
      usedBytes -= entry.bytes;
    } finally {
      lock.unlock();
    }
  }
}
