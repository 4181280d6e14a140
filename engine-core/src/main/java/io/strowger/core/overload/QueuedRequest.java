package io.strowger.core.overload;

import io.strowger.spi.store.KeyId;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A request whose thread, the one that creates this object, waits for a place; it holds no bytes
 * yet.
 */
final class QueuedRequest {
  private final Permit permit;
  private final KeyId key;
  private final long arrived;
  private final long due;
  private final Thread thread = Thread.currentThread();
  private volatile @Nullable Admission outcome;

  /**
   * @param permit the permit it may get; holds neither a place nor bytes yet
   * @param arrived the nanoTime when the request began to wait
   * @param due the nanoTime when its wait ends at the latest
   */
  QueuedRequest(Permit permit, KeyId key, long arrived, long due) {
    this.permit = permit;
    this.key = key;
    this.arrived = arrived;
    this.due = due;
  }

  Permit permit() {
    return permit;
  }

  KeyId key() {
    return key;
  }

  long arrived() {
    return arrived;
  }

  long due() {
    return due;
  }

  /** Returns the outcome of the wait; null while the request waits. */
  @Nullable Admission outcome() {
    return outcome;
  }

  /** Ends the wait. Called once, by the thread that took the request out of the queue. */
  void end(Admission how) {
    outcome = how;
    LockSupport.unpark(thread);
  }
}
