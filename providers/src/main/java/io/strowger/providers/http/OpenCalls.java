package io.strowger.providers.http;

import io.strowger.spi.provider.Cancellation;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The exchanges of one adapter that are under way, so that closing the adapter ends them. Safe on
 * any thread.
 */
public final class OpenCalls {
  private final Set<Cancellation.Child> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * A cancellation for one exchange, which also trips when the caller's does, and at once when the
   * adapter is closed already. To be ended.
   */
  public Cancellation.Child begin(Cancellation callers) {
    Cancellation.Child child = callers.child();
    open.add(child);
    if (closed) {
      child.cancellation().cancel(Cancellation.Cause.SHUTDOWN);
    }
    return child;
  }

  /** The exchange is over, however it ended. Any number of times. */
  public void end(Cancellation.Child child) {
    if (open.remove(child)) {
      child.link().close();
    }
  }

  /** Cancels every exchange that is under way or begins later. */
  public void close() {
    closed = true;
    open.forEach(child -> child.cancellation().cancel(Cancellation.Cause.SHUTDOWN));
  }
}
