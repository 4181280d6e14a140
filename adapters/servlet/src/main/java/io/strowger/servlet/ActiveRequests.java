package io.strowger.servlet;

import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests that a servlet is answering; {@link #close} waits for them. Safe on any thread. */
final class ActiveRequests {
  private static final Logger log = LoggerFactory.getLogger(GatewayServlet.class);

  /** How long cancelled requests may take to end. */
  private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);

  private final Duration drain;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition requestEnded = lock.newCondition();
  private final Set<Cancellation> active = new HashSet<>(); // guarded by lock
  private boolean open; // guarded by lock

  /**
   * @param drain how long {@link #close} waits before it cancels
   */
  ActiveRequests(Duration drain) {
    this.drain = drain;
  }

  /** Starts admitting requests. */
  void open() {
    lock.lock();
    try {
      open = true;
    } finally {
      lock.unlock();
    }
  }

  /** Admits a request; returns false when no requests are admitted. */
  boolean begin(Cancellation request) {
    lock.lock();
    try {
      return open && active.add(request);
    } finally {
      lock.unlock();
    }
  }

  /** Removes a request that has been answered. */
  void end(Cancellation request) {
    lock.lock();
    try {
      active.remove(request);
      requestEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops admitting requests and waits for those under way, which are cancelled when they take too
   * long or the waiting thread is interrupted.
   */
  void close() {
    List<Cancellation> unfinished;
    lock.lock();
    try {
      open = false;
      await(drain);
      unfinished = List.copyOf(active);
    } finally {
      lock.unlock();
    }
    if (unfinished.isEmpty()) {
      return;
    }
    log.warn(
        "cancelling {} requests that have not ended; the drain time is {}",
        unfinished.size(),
        drain);
    unfinished.forEach(request -> request.cancel(Cancellation.Cause.SHUTDOWN));
    lock.lock();
    try {
      await(CANCEL_TIMEOUT);
      if (!active.isEmpty()) {
        log.warn("{} requests have not ended although they were cancelled", active.size());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until no request is under way or the timeout has passed. The caller holds the lock. */
  private void await(Duration timeout) {
    long remaining = timeout.toNanos();
    try {
      while (!active.isEmpty() && remaining > 0) {
        remaining = requestEnded.awaitNanos(remaining);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
