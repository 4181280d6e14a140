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

  private final Duration drainTimeout;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition requestEnded = lock.newCondition();
  private final Set<Cancellation> active = new HashSet<>(); // guarded by lock
  private boolean open; // guarded by lock

  /**
   * @param drainTimeout how long {@link #close} waits before it cancels
   */
  ActiveRequests(Duration drainTimeout) {
    this.drainTimeout = drainTimeout;
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
    boolean interrupted = false;
    List<Cancellation> unfinished;
    lock.lock();
    try {
      open = false;
      interrupted = await(drainTimeout);
      unfinished = List.copyOf(active);
    } finally {
      lock.unlock();
    }
    if (!unfinished.isEmpty()) {
      log.warn(
          "cancelling {} requests that have not ended {}",
          unfinished.size(),
          interrupted
              ? "because the shutdown was interrupted"
              : "within " + drainTimeout.toMillis() + " ms");
      unfinished.forEach(request -> request.cancel(Cancellation.Cause.SHUTDOWN));
      interrupted |= awaitCancelled();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the cancelled requests; returns whether the thread was interrupted. */
  private boolean awaitCancelled() {
    lock.lock();
    try {
      boolean interrupted = await(CANCEL_TIMEOUT);
      if (!active.isEmpty()) {
        log.warn("{} requests have not ended although they were cancelled", active.size());
      }
      return interrupted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until no request is under way, the timeout has passed or the thread is interrupted. The
   * caller holds the lock.
   *
   * @return whether the thread was interrupted; its interrupt status is then cleared, so that the
   *     requests cancelled next still get their time
   */
  private boolean await(Duration timeout) {
    long remaining = timeout.toNanos();
    try {
      while (!active.isEmpty() && remaining > 0) {
        remaining = requestEnded.awaitNanos(remaining);
      }
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
