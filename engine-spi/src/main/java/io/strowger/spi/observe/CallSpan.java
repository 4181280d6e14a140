package io.strowger.spi.observe;

import io.strowger.spi.catalog.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * The span of one call in a distributed trace, and those of its attempts. Used by several threads
 * at once when plugins make inner calls.
 */
public interface CallSpan {
  /**
   * Names the span of an attempt that is about to be sent. Called once per attempt, on the thread
   * that makes it; must return quickly. What it throws is logged, and nothing is sent then.
   *
   * @param number of the attempt within the call, from 0 and each given once: that of {@link
   *     CallRecord.Attempt#number}
   * @param endpoint that it goes to
   * @param atNanos nanoseconds since the call came
   * @return the value of the header {@code traceparent} that the upstream receives; null: none
   */
  @Nullable String attempt(int number, Endpoint endpoint, long atNanos);

  /**
   * The call is over, and all its attempts are. Called once, on the thread that delivered the
   * answer, as {@link TraceSink#accept}. What it throws is logged and changes nothing. Not called
   * for a request of a batch whose lease another node has taken over: that node tells of it.
   */
  void ended(CallRecord record);
}
