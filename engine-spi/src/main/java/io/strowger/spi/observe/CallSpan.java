package io.strowger.spi.observe;

import io.strowger.spi.catalog.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * The span of one call in a distributed trace, and those of its attempts. Used by several threads
 * at once when plugins make inner calls.
 */
public interface CallSpan {
  /**
   * Begins the span of an attempt that is about to be sent. Called once per attempt, on the thread
   * that makes it; must return quickly. What it throws is logged, and no header is sent then.
   *
   * @param number the number of the attempt within the call, from 0, each given once; the same as
   *     {@link CallRecord.Attempt#number}
   * @param endpoint the endpoint it is sent to
   * @param atNanos nanoseconds since the call arrived
   * @return the value of the header {@code traceparent} that the upstream receives; null for none
   */
  @Nullable String beginAttempt(int number, Endpoint endpoint, long atNanos);

  /**
   * Ends the span: the call and its attempts are over. Called once, on the thread that delivered
   * the answer, like {@link TraceSink#accept}. What it throws is logged and changes nothing. Not
   * called for a batch request whose lease another node has taken over: that node reports the call.
   */
  void end(CallRecord record);
}
