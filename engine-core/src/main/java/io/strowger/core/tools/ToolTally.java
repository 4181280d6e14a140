package io.strowger.core.tools;

import io.strowger.spi.model.Usage;

/** How many calls of the gateway's own tools a request saw. Written by one thread, read by any. */
public final class ToolTally {
  private volatile long requested;
  private volatile long executed;

  /** A model made so many calls. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer
  public void requested(int calls) {
    requested = requested + calls;
  }

  /** One of them was run. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer
  public void executed() {
    executed = executed + 1;
  }

  /** The same usage with these counts in it. */
  public Usage on(Usage usage) {
    return requested == 0
        ? usage
        : usage.toBuilder().toolCallsRequested(requested).toolCallsExecuted(executed).build();
  }
}
