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
 * The attempts and steps of one call that somebody observes, while they happen. Safe on any thread.
 * Calls that nobody observes have none.
 */
public final class CallObservation {
  private static final Logger log = LoggerFactory.getLogger(CallObservation.class);

  private final String id;
  private final @Nullable CallSpan trace;
  private final long cameNanos;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Queue<ObservedAttempt> attempts = new ConcurrentLinkedQueue<>();
  private final Queue<CallRecord.Step> steps = new ConcurrentLinkedQueue<>();

  /**
   * @param trace of the call; null when it is not traced
   * @param cameNanos when the call came, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   */
  CallObservation(String id, @Nullable CallSpan trace, long cameNanos) {
    this.id = id;
    this.trace = trace;
    this.cameNanos = cameNanos;
  }

  public @Nullable CallSpan trace() {
    return trace;
  }

  /** An attempt is about to be sent, now. */
  public ObservedAttempt begin(@Nullable String innerCall, Endpoint endpoint, long nanos) {
    int number = numbers.getAndIncrement();
    var begun =
        new ObservedAttempt(
            new ObservedAttempt.Name(number, innerCall),
            endpoint,
            traceparent(number, endpoint, nanos),
            nanos);
    attempts.add(begun);
    return begun;
  }

  /** A tracer that fails must not cost anybody an answer. */
  private @Nullable String traceparent(int number, Endpoint endpoint, long nanos) {
    try {
      return trace == null ? null : trace.attempt(number, endpoint, nanos - cameNanos);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("the tracer failed on an attempt of {}", id, bug);
      return null;
    }
  }

  /**
   * It was decided who may be asked.
   *
   * @param refusal why nobody may; null when somebody may
   */
  public void planned(
      @Nullable String innerCall, int candidates, @Nullable ErrorCode refusal, long nanos) {
    steps.add(new CallRecord.Step.Planned(innerCall, nanos - cameNanos, candidates, refusal));
  }

  /**
   * Money was set aside.
   *
   * @param what {@link CallRecord.Step.Held#what}
   */
  public void held(@Nullable String innerCall, String what, Usd atMost, long nanos) {
    steps.add(new CallRecord.Step.Held(innerCall, nanos - cameNanos, what, atMost));
  }

  /**
   * Returns the attempts as they are when the call is over, in the order they began.
   *
   * @param overNanos when it ended
   */
  public List<CallRecord.Attempt> attempts(long overNanos) {
    var all = new ArrayList<CallRecord.Attempt>(attempts.size());
    for (ObservedAttempt attempt : attempts) {
      all.add(attempt.record(cameNanos, overNanos));
    }
    all.sort((one, other) -> Integer.compare(one.number(), other.number()));
    return all;
  }

  public List<CallRecord.Step> steps() {
    return List.copyOf(steps);
  }
}
