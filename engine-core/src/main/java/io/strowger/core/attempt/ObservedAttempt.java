package io.strowger.core.attempt;

import io.strowger.core.meter.Bill;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a call that somebody observes. Ends once: the first ending counts. Safe on any
 * thread.
 */
public final class ObservedAttempt {
  private static final int OK = 200;

  private final Name name;
  private final Endpoint endpoint;
  private final @Nullable String traceparent;
  private final long startedNanos;
  private final AtomicReference<@Nullable Ended> ended = new AtomicReference<>();
  private volatile boolean hasContent;
  private volatile long contentNanos;

  /**
   * Which attempt it is.
   *
   * @param number within the call, from 0
   * @param innerCall the call of a plugin or a tool it is made for; null: the caller's own
   */
  public record Name(int number, @Nullable String innerCall) {}

  private record Ended(CallRecord.Ending how, CallRecord.BillLine line, long nanos) {}

  /**
   * Begins to observe an attempt.
   *
   * @param traceparent the header that its upstream receives; null: none
   * @param startedNanos when it began, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   */
  public ObservedAttempt(
      Name name, Endpoint endpoint, @Nullable String traceparent, long startedNanos) {
    this.name = name;
    this.endpoint = endpoint;
    this.traceparent = traceparent;
    this.startedNanos = startedNanos;
  }

  /** Returns the header that the upstream receives; null: none. */
  @Nullable String traceparent() {
    return traceparent;
  }

  /** Its first content came. */
  void content(long nanos) {
    contentNanos = nanos;
    hasContent = true;
  }

  /** It delivered nothing. */
  void failed(Failure failure, long nanos) {
    boolean cancelled = failure.kind() == FailureKind.CANCELLED;
    ended.compareAndSet(
        null,
        new Ended(
            new CallRecord.Ending(
                cancelled ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR,
                failure.status(),
                failure.kind(),
                null,
                null),
            nothing(),
            nanos));
  }

  /** The gateway itself or a plugin ended it: that says nothing of the endpoint. */
  void failedHere(ErrorCode error, long nanos) {
    var how = new CallRecord.Ending(CallRecord.Outcome.ERROR, 0, null, error, null);
    ended.compareAndSet(null, new Ended(how, nothing(), nanos));
  }

  private CallRecord.BillLine nothing() {
    return new CallRecord.BillLine(endpoint.id(), Usage.NONE, Usd.ZERO);
  }

  /**
   * The answer that it delivered ended.
   *
   * @param error what the caller was told; null when all went well
   * @param reason null when the answer did not come to an end
   * @param bill null when nothing is charged
   */
  public void ended(
      CallRecord.Outcome outcome,
      @Nullable ErrorCode error,
      @Nullable StopReason reason,
      @Nullable Bill bill,
      long nanos) {
    CallRecord.BillLine billLine =
        bill == null
            ? nothing()
            : new CallRecord.BillLine(endpoint.id(), bill.usage(), bill.total());
    ended.compareAndSet(
        null, new Ended(new CallRecord.Ending(outcome, OK, null, error, reason), billLine, nanos));
  }

  /**
   * Returns what is known of it when its call is over. An attempt that nobody ended, because
   * something failed around it, counts as cancelled with the call.
   *
   * @param cameNanos when the call came
   * @param overNanos when the call ended
   */
  public CallRecord.Attempt record(long cameNanos, long overNanos) {
    Ended end = ended.get();
    CallRecord.Ending how =
        end == null
            ? new CallRecord.Ending(CallRecord.Outcome.CANCELLED, 0, null, null, null)
            : end.how();
    long started = startedNanos - cameNanos;
    long endedNanos = (end == null ? overNanos : end.nanos()) - cameNanos;
    return new CallRecord.Attempt(
        name.number(),
        name.innerCall(),
        endpoint,
        new CallRecord.CallTimes(
            started, hasContent ? contentNanos - cameNanos : -1, Math.max(started, endedNanos)),
        how,
        end == null ? nothing() : end.line());
  }
}
