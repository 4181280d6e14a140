package io.strowger.core.tools;

import io.strowger.spi.model.Usage;
import java.util.concurrent.atomic.AtomicLong;

/** How many calls of the gateway's own tools a request saw, in all of its loops. Any thread. */
public final class ToolTally {
  private final AtomicLong requested = new AtomicLong();
  private final AtomicLong executed = new AtomicLong();

  /** A model made so many calls. */
  public void requested(int calls) {
    requested.addAndGet(calls);
  }

  /** One of them was run. */
  public void executed() {
    executed.incrementAndGet();
  }

  /** The same usage with these counts in it. */
  public Usage on(Usage usage) {
    return requested.get() == 0
        ? usage
        : usage.toBuilder()
            .toolCallsRequested(requested.get())
            .toolCallsExecuted(executed.get())
            .build();
  }
}
