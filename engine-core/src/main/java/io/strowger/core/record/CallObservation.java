package io.strowger.core.record;

import io.strowger.core.attempt.ObservedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the attempts and steps of one observed call as they happen. Safe on any thread. A call
 * that is not observed has no such object.
 */
public final class CallObservation {
  private static final Logger log = LoggerFactory.getLogger(CallObservation.class);

  private final String id;
  private final @Nullable CallSpan span;
  private final long arrivedNanos;
  private final AtomicInteger nextNumber = new AtomicInteger();
  private final Queue<ObservedAttempt> attempts = new ConcurrentLinkedQueue<>();
  private final Queue<CallRecord.Step> steps = new ConcurrentLinkedQueue<>();

  /**
   * @param span the span of the call; null when it is not traced
   * @param arrivedNanos when the call arrived, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   */
  CallObservation(String id, @Nullable CallSpan span, long arrivedNanos) {
    this.id = id;
    this.span = span;
    this.arrivedNanos = arrivedNanos;
  }

  public @Nullable CallSpan span() {
    return span;
  }

  /**
   * Begins to observe an attempt that is about to be sent.
   *
   * @param innerCall the inner call that the attempt belongs to; null for the caller's own request
   * @param nanos the current time, on the same clock as the arrival
   */
  public ObservedAttempt begin(@Nullable String innerCall, Endpoint endpoint, long nanos) {
    int number = nextNumber.getAndIncrement();
    var attempt =
        new ObservedAttempt(
            new ObservedAttempt.AttemptId(number, innerCall),
            endpoint,
            traceparent(number, endpoint, nanos),
            nanos);
    attempts.add(attempt);
    return attempt;
  }

  /** Returns the {@code traceparent} header; null when not traced or when the tracer fails. */
  private @Nullable String traceparent(int number, Endpoint endpoint, long nanos) {
    try {
      return span == null ? null : span.beginAttempt(number, endpoint, nanos - arrivedNanos);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("the tracer failed on an attempt of call {}", id, bug);
      return null;
    }
  }

  /**
   * Records that a plan was made.
   *
   * @param candidates the number of candidates
   * @param refusal why there is no candidate; null when there is one
   */
  public void recordPlan(
      @Nullable String innerCall, int candidates, @Nullable ErrorCode refusal, long nanos) {
    steps.add(new CallRecord.Step.Planned(innerCall, nanos - arrivedNanos, candidates, refusal));
  }

  /**
   * Records a hold.
   *
   * @param purpose {@link CallRecord.Step.Held#purpose}
   */
  public void recordHold(@Nullable String innerCall, String purpose, Usd atMost, long nanos) {
    steps.add(new CallRecord.Step.Held(innerCall, nanos - arrivedNanos, purpose, atMost));
  }

  /**
   * Returns the attempts as they are when the call is over, in the order they began.
   *
   * @param endedNanos when the call ended, on the same clock as its arrival
   */
  public List<CallRecord.Attempt> attempts(long endedNanos) {
    var records = new ArrayList<CallRecord.Attempt>(attempts.size());
    for (ObservedAttempt attempt : attempts) {
      records.add(attempt.toRecord(arrivedNanos, endedNanos));
    }
    records.sort((left, right) -> Integer.compare(left.number(), right.number()));
    return records;
  }

  public List<CallRecord.Step> steps() {
    return List.copyOf(steps);
  }
}
