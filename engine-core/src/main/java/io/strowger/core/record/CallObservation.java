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
 * Collects the attempts and steps of one observed call as they happen. Safe on any thread. Calls
 * that are not observed have none.
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
   * @param trace the span of the call; null when it is not traced
   * @param cameNanos when the call arrived, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   */
  CallObservation(String id, @Nullable CallSpan trace, long cameNanos) {
    this.id = id;
    this.span = trace;
    this.arrivedNanos = cameNanos;
  }

  public @Nullable CallSpan span() {
    return span;
  }

  /** Begins to observe an attempt about to be sent. */
  public ObservedAttempt begin(@Nullable String innerCall, Endpoint endpoint, long nanos) {
    int number = nextNumber.getAndIncrement();
    var begun =
        new ObservedAttempt(
            new ObservedAttempt.Name(number, innerCall),
            endpoint,
            traceparent(number, endpoint, nanos),
            nanos);
    attempts.add(begun);
    return begun;
  }

  /** Returns the {@code traceparent} header; null when not traced or when the tracer fails. */
  private @Nullable String traceparent(int number, Endpoint endpoint, long nanos) {
    try {
      return span == null ? null : span.attempt(number, endpoint, nanos - arrivedNanos);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("the tracer failed on an attempt of {}", id, bug);
      return null;
    }
  }

  /**
   * Records that a plan was made.
   *
   * @param refusal why there is no candidate; null when there is one
   */
  public void planned(
      @Nullable String innerCall, int candidates, @Nullable ErrorCode refusal, long nanos) {
    steps.add(new CallRecord.Step.Planned(innerCall, nanos - arrivedNanos, candidates, refusal));
  }

  /**
   * Records a hold.
   *
   * @param what {@link CallRecord.Step.Held#what}
   */
  public void held(@Nullable String innerCall, String what, Usd atMost, long nanos) {
    steps.add(new CallRecord.Step.Held(innerCall, nanos - arrivedNanos, what, atMost));
  }

  /**
   * Returns the attempts as they are when the call is over, in the order they began.
   *
   * @param overNanos when it ended
   */
  public List<CallRecord.Attempt> attempts(long overNanos) {
    var all = new ArrayList<CallRecord.Attempt>(attempts.size());
    for (ObservedAttempt attempt : attempts) {
      all.add(attempt.record(arrivedNanos, overNanos));
    }
    all.sort((one, other) -> Integer.compare(one.number(), other.number()));
    return all;
  }

  public List<CallRecord.Step> steps() {
    return List.copyOf(steps);
  }
}
