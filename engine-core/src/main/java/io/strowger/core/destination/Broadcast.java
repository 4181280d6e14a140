package io.strowger.core.destination;

import io.strowger.spi.observe.CallTrace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The destinations that one call is sent to when it is over. Immutable; created with the call. */
public final class Broadcast {
  private static final Logger log = LoggerFactory.getLogger(Broadcast.class);

  private final List<ActiveDestination> targets;
  private final boolean needsContent;

  /**
   * @param targets the destinations; the list must not change any more
   */
  Broadcast(List<ActiveDestination> targets) {
    this.targets = targets;
    boolean needed = false;
    for (ActiveDestination target : targets) {
      needed |= target.needsContent();
    }
    this.needsContent = needed;
  }

  /** Returns whether at least one of the destinations needs the content of the call. */
  public boolean needsContent() {
    return needsContent;
  }

  /**
   * Hands a finished call to all destinations. Never waits and never throws.
   *
   * @param call the call without its content
   * @param content the content of the call; null unless {@link #needsContent}
   */
  public void send(CallTrace call, @Nullable CallContent content) {
    var traced = new TracedCall(call, content);
    for (ActiveDestination target : targets) {
      try {
        target.offer(traced);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
        log.error("call {} could not be queued for a destination", call.id(), bug);
      }
    }
  }
}
