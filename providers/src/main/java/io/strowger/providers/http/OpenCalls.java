package io.strowger.providers.http;

import io.strowger.spi.provider.Cancellation;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the running exchanges of one adapter, so that closing the adapter cancels them. Safe on any
 * thread.
 */
public final class OpenCalls {
  private final Set<Cancellation.Child> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Returns a cancellation for one exchange. It is cancelled together with the caller's
   * cancellation or with this adapter, and at once if the adapter is closed already. Pass the
   * result to {@link #end} when the exchange is over.
   */
  public Cancellation.Child begin(Cancellation callerCancellation) {
    Cancellation.Child child = callerCancellation.child();
    open.add(child);
    if (closed) {
      child.cancellation().cancel(Cancellation.Cause.SHUTDOWN);
    }
    return child;
  }

  /** Removes an exchange, however it ended. May be called any number of times. */
  public void end(Cancellation.Child child) {
    if (open.remove(child)) {
      child.link().close();
    }
  }

  /** Cancels every running exchange and those that begin later. */
  public void close() {
    closed = true;
    open.forEach(child -> child.cancellation().cancel(Cancellation.Cause.SHUTDOWN));
  }
}
