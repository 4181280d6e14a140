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
 * The observation of one attempt, for tracing and for the record of its call. An attempt ends once:
 * later endings are ignored. Safe on any thread.
 */
public final class ObservedAttempt {
  private static final int OK = 200;

  private final AttemptId id;
  private final Endpoint endpoint;
  private final @Nullable String traceparent;
  private final long startedNanos;
  private final AtomicReference<@Nullable End> ended = new AtomicReference<>();
  private volatile boolean hasContent;
  private volatile long contentNanos;

  /**
   * Identifies an attempt in the record of its call.
   *
   * @param number the number of the attempt within the call, from 0
   * @param innerCall the name of the inner call it belongs to; null for the caller's own call
   */
  public record AttemptId(int number, @Nullable String innerCall) {}

  private record End(CallRecord.Ending ending, CallRecord.BillLine billLine, long nanos) {}

  /**
   * Creates the observation of an attempt that begins.
   *
   * @param traceparent the header that its upstream receives; null for none
   * @param startedNanos when it began, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   */
  public ObservedAttempt(
      AttemptId id, Endpoint endpoint, @Nullable String traceparent, long startedNanos) {
    this.id = id;
    this.endpoint = endpoint;
    this.traceparent = traceparent;
    this.startedNanos = startedNanos;
  }

  /** Returns the {@code traceparent} header that the upstream receives; null for none. */
  @Nullable String traceparent() {
    return traceparent;
  }

  /** Records when the first content came. */
  void firstContent(long nanos) {
    contentNanos = nanos;
    hasContent = true;
  }

  /** Records that the attempt failed without delivering anything. */
  void failed(Failure failure, long nanos) {
    boolean cancelled = failure.kind() == FailureKind.CANCELLED;
    ended.compareAndSet(
        null,
        new End(
            new CallRecord.Ending(
                cancelled ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR,
                failure.status(),
                failure.kind(),
                null,
                null),
            emptyBillLine(),
            nanos));
  }

  /** Records that the gateway or a plugin ended the attempt; the endpoint is not at fault. */
  void failedInGateway(ErrorCode error, long nanos) {
    var ending = new CallRecord.Ending(CallRecord.Outcome.ERROR, 0, null, error, null);
    ended.compareAndSet(null, new End(ending, emptyBillLine(), nanos));
  }

  private CallRecord.BillLine emptyBillLine() {
    return new CallRecord.BillLine(endpoint.id(), Usage.NONE, Usd.ZERO);
  }

  /**
   * Records that the delivered answer ended.
   *
   * @param error the error the caller received; null when there was none
   * @param reason the stop reason; null when the answer was abandoned
   * @param bill the bill; null when nothing is charged
   */
  public void ended(
      CallRecord.Outcome outcome,
      @Nullable ErrorCode error,
      @Nullable StopReason reason,
      @Nullable Bill bill,
      long nanos) {
    CallRecord.BillLine billLine =
        bill == null
            ? emptyBillLine()
            : new CallRecord.BillLine(endpoint.id(), bill.usage(), bill.total());
    ended.compareAndSet(
        null, new End(new CallRecord.Ending(outcome, OK, null, error, reason), billLine, nanos));
  }

  /**
   * Returns the record of the attempt once its call is over. An attempt that was never ended,
   * because the gateway failed during it, is recorded as cancelled, and its end is the end of the
   * call.
   *
   * @param callStartNanos when the call arrived, on the clock of {@code startedNanos}
   * @param callEndNanos when the call ended, on the same clock
   */
  public CallRecord.Attempt toRecord(long callStartNanos, long callEndNanos) {
    End end = ended.get();
    CallRecord.Ending ending =
        end == null
            ? new CallRecord.Ending(CallRecord.Outcome.CANCELLED, 0, null, null, null)
            : end.ending();
    long startOffset = startedNanos - callStartNanos;
    long endOffset = (end == null ? callEndNanos : end.nanos()) - callStartNanos;
    return new CallRecord.Attempt(
        id.number(),
        id.innerCall(),
        endpoint,
        new CallRecord.CallTimes(
            startOffset,
            hasContent ? contentNanos - callStartNanos : -1,
            Math.max(startOffset, endOffset)),
        ending,
        end == null ? emptyBillLine() : end.billLine());
  }
}
