package io.strowger.core.tools;

import io.strowger.spi.model.Usage;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the calls of the gateway's own tools in all loops of a request. Safe on any thread. */
public final class ToolCallCounter {
  private final AtomicLong requested = new AtomicLong();
  private final AtomicLong executed = new AtomicLong();

  /** Adds calls that a model made. */
  public void addRequested(int calls) {
    requested.addAndGet(calls);
  }

  /** Adds one call that was run. */
  public void addExecuted() {
    executed.incrementAndGet();
  }

  /** Returns the usage with these counts in it. */
  public Usage addTo(Usage usage) {
    return requested.get() == 0
        ? usage
        : usage.toBuilder()
            .toolCallsRequested(requested.get())
            .toolCallsExecuted(executed.get())
            .build();
  }
}
