package io.strowger.core.overload;

import io.strowger.spi.store.KeyId;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for a place; it holds no bytes yet. The thread that creates this object is
 * the one that waits.
 */
final class QueuedRequest {
  private final Permit permit;
  private final KeyId key;
  private final long arrivedNanos;
  private final long deadlineNanos;
  private final Thread thread = Thread.currentThread();
  private volatile @Nullable Admission outcome;

  /**
   * @param permit the permit it may get; holds neither a place nor bytes yet
   * @param arrivedNanos the nanoTime when the request began to wait
   * @param deadlineNanos the nanoTime when its wait ends at the latest
   */
  QueuedRequest(Permit permit, KeyId key, long arrivedNanos, long deadlineNanos) {
    this.permit = permit;
    this.key = key;
    this.arrivedNanos = arrivedNanos;
    this.deadlineNanos = deadlineNanos;
  }

  Permit permit() {
    return permit;
  }

  KeyId key() {
    return key;
  }

  long arrivedNanos() {
    return arrivedNanos;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Returns the outcome of the wait; null while the request waits. */
  @Nullable Admission outcome() {
    return outcome;
  }

  /** Ends the wait. Called once, by the thread that took the request out of the queue. */
  void end(Admission result) {
    outcome = result;
    LockSupport.unpark(thread);
  }
}
