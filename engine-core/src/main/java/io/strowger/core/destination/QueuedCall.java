package io.strowger.core.destination;

import io.strowger.spi.observe.CallTrace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for a destination.
 *
 * @param told what the destination may know, without what was said
 * @param content null when it may not know that, or it is in {@code told}
 * @param bytes about how much memory the call takes while it waits
 */
record QueuedCall(CallTrace told, @Nullable CallContent content, long bytes) {
  /** Returns all of what the destination is sent. */
  CallTrace trace() {
    if (content == null) {
      return told;
    }
    CallTrace.Details known = told.details();
    return told.with(
        told.cost(), new CallTrace.Details(known.identity(), known.context(), content.get()));
  }

  static List<CallTrace> traces(List<QueuedCall> calls) {
    return calls.stream().map(QueuedCall::trace).toList();
  }
}
