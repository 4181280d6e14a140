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

/** The requests that a servlet is answering, which its end waits for. Safe on any thread. */
final class ActiveRequests {
  private static final Logger log = LoggerFactory.getLogger(GatewayServlet.class);

  /** How long cancelled requests may take to end. */
  private static final Duration AFTER_CANCEL = Duration.ofSeconds(5);

  private final Duration drain;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Set<Cancellation> active = new HashSet<>(); // guarded by lock
  private boolean open; // guarded by lock

  /**
   * @param drain how long {@link #close} waits before it cancels
   */
  ActiveRequests(Duration drain) {
    this.drain = drain;
  }

  /** Lets requests in from now on. */
  void open() {
    lock.lock();
    try {
      open = true;
    } finally {
      lock.unlock();
    }
  }

  /** Lets a request in; returns false when none is let in any more. */
  boolean begin(Cancellation request) {
    lock.lock();
    try {
      return open && active.add(request);
    } finally {
      lock.unlock();
    }
  }

  /** Says that a request has its answer. */
  void end(Cancellation request) {
    lock.lock();
    try {
      active.remove(request);
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets no request in any more and waits for those under way, which are cancelled when they take
   * too long or the waiting thread is interrupted.
   */
  void close() {
    List<Cancellation> late;
    lock.lock();
    try {
      open = false;
      await(drain);
      late = List.copyOf(active);
    } finally {
      lock.unlock();
    }
    if (late.isEmpty()) {
      return;
    }
    log.warn("cancelling {} requests that did not end within {}", late.size(), drain);
    late.forEach(request -> request.cancel(Cancellation.Cause.SHUTDOWN));
    lock.lock();
    try {
      await(AFTER_CANCEL);
      if (!active.isEmpty()) {
        log.warn("{} cancelled requests still wait for their clients", active.size());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits, with the lock held, until no request is under way, or for so long. */
  private void await(Duration atMost) {
    long left = atMost.toNanos();
    try {
      while (!active.isEmpty() && left > 0) {
        left = ended.awaitNanos(left);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
