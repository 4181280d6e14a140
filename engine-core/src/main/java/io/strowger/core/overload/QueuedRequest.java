package io.strowger.core.overload;

import io.strowger.spi.store.KeyId;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A request that waits for a place, on the thread that made this. It holds no bytes meanwhile. */
final class QueuedRequest {
  private final Permit permit;
  private final KeyId key;
  private final long arrived;
  private final long due;
  private final Thread thread = Thread.currentThread();
  private volatile @Nullable Admission outcome;

  /**
   * @param permit what it gets; takes neither place nor bytes yet
   * @param arrived nanoseconds
   * @param due when it has waited as long as it may, in nanoseconds
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

  /** What became of it; null while it waits. */
  @Nullable Admission outcome() {
    return outcome;
  }

  /** Ends the wait. Called once, by whoever took it out of the queue. */
  void end(Admission how) {
    outcome = how;
    LockSupport.unpark(thread);
  }
}
