package io.strowger.providers.chat;

import io.strowger.spi.provider.Cancellation;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The exchanges of one provider that are under way, so that closing it ends them. */
final class OpenCalls {
  private final Set<Cancellation.Child> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A cancellation for one exchange, which also trips when the caller's does. */
  Cancellation.Child begin(Cancellation callers) {
    Cancellation.Child child = callers.child();
    open.add(child);
    if (closed) {
      child.cancellation().cancel(Cancellation.Cause.SHUTDOWN);
    }
    return child;
  }

  void end(Cancellation.Child child) {
    if (open.remove(child)) {
      child.link().close();
    }
  }

  void close() {
    closed = true;
    open.forEach(child -> child.cancellation().cancel(Cancellation.Cause.SHUTDOWN));
  }
}
