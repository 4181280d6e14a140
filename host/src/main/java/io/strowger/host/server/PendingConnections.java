package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections of which no whole head has come: those that rest between two requests, and those
 * that send slowly. Whoever they belong to has shown no credential yet, so nothing else bounds
 * their memory. When they have too much together, those that have waited longest are closed, and
 * others may still come: a client that means it sends its head at once. Safe on any thread.
 */
final class PendingConnections {
  /** What a connection costs that has sent nothing (measured: 27 KiB). */
  static final long PLAIN = 28 * 1024;

  /** The same before and after a handshake, with the buffers of both ways (measured: 95 KiB). */
  static final long TLS = 96 * 1024;

  /** Why a connection is closed. */
  static final String GIVEN_UP = "others need the memory";

  /** As it came, and as it is read. */
  private static final int COPIES = 2;

  private final long most;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashSet<Waiting> waiting = new LinkedHashSet<>(); // under the lock, as all is
  private long used;

  /**
   * @param most bytes of memory for all of them
   */
  PendingConnections(long most) {
    this.most = most;
  }

  /** A quarter of the heap, beside what requests in flight may have. */
  static PendingConnections ofHeap() {
    return new PendingConnections(Runtime.getRuntime().maxMemory() / 4);
  }

  /** A connection that waits. */
  static final class Waiting {
    private final Runnable giveUp;
    private long bytes;

    private Waiting(long bytes, Runnable giveUp) {
      this.bytes = bytes;
      this.giveUp = giveUp;
    }
  }

  /**
   * A connection waits for a head from now on.
   *
   * @param connection {@link #PLAIN} or {@link #TLS}
   * @param giveUp ends its waiting, also when it begins later; must not wait itself
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

  /** So much of its head has come. */
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
      one.giveUp.run(); // it does nothing but wait
    }
  }

  /** Returns the bytes that all of them have together. */
  long used() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  /** A connection did not wait after all. */
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
   * A connection waits no longer.
   *
   * @throws CloseConnectionException when its connection is to be closed
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
