package io.strowger.core.destination;

import io.strowger.spi.observe.CallTrace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call that waits for a destination.
 *
 * @param traceWithoutContent the part of the call that the destination may see, without content
 * @param content the content of the call; null when the destination may not see it
 * @param bytes about how much memory the call takes while it waits
 */
record QueuedCall(CallTrace traceWithoutContent, @Nullable CallContent content, long bytes) {
  private static final Logger log = LoggerFactory.getLogger(QueuedCall.class);

  /** Returns the call with its content, as it is sent to the destination. */
  CallTrace trace() {
    if (content == null) {
      return traceWithoutContent;
    }
    try {
      CallTrace.Details details = traceWithoutContent.details();
      return traceWithoutContent.with(
          traceWithoutContent.cost(),
          new CallTrace.Details(details.identity(), details.context(), content.get()));
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error(
          "the content of call {} could not be assembled; the call is exported without content",
          traceWithoutContent.id(),
          bug);
      return traceWithoutContent;
    }
  }

  static List<CallTrace> traces(List<QueuedCall> calls) {
    return calls.stream().map(QueuedCall::trace).toList();
  }
}
