package io.strowger.core.record;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.meter.Bill;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that has ended, as far as its records need it. Confined to the request's own thread.
 */
public interface FinishedRequest {
  String id();

  /** When it came. */
  Instant arrivedAt();

  /** When it came, on {@link io.strowger.spi.ambient.Ambient#nanoTime}. */
  long nanos();

  Caller caller();

  /** The request as the caller sent it. */
  InferenceRequest received();

  /** The request after content filters. */
  InferenceRequest request();

  /** What the first turn of the caller's request was asked. */
  InferenceRequest sent();

  /** The model as the caller named it, the first when several; empty when none. */
  String requested();

  /** The candidate that answered last; null when none did. */
  @Nullable PlannedAttempt answeringCandidate();

  /** From the request's arrival until its first content; -1 when there was none. */
  long firstContentNanos();

  /** The lines of the bill. */
  List<CallRecord.BillLine> lines();

  /** What the caller received; null when nobody answered. */
  @Nullable AnswerTranscript transcript();

  /** In the order they were planned. */
  List<? extends Turn> turns();

  /** The last turn that was answered; null when none was. */
  @Nullable Turn delivering();

  /** Every attempt, in order. */
  List<Try> tries();

  /** Whether the caller wants to see reasoning. */
  boolean showsReasoning();

  /**
   * How it ended.
   *
   * @param stopReason null when no answer came to an end
   * @param error what the caller was told; null when all went well
   * @param replayed the answer that was given again; null when it was made anew
   * @param refused nobody answered, as far as the caller knows
   * @param nanos when, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   */
  record Ending(
      CallRecord.Outcome outcome,
      @Nullable StopReason stopReason,
      @Nullable ErrorCode error,
      @Nullable CachedAnswer replayed,
      boolean refused,
      long nanos) {}

  /** One turn: one decision, its attempts and its answer. */
  interface Turn {
    /** What it costs; null before the usage is known. */
    @Nullable Bill bill();

    /** Who answers; null when nobody does. */
    AttemptLoop.Outcome.@Nullable Delivers delivers();

    /** When its answer ended. */
    long endedNanos();

    /** The inner call it belongs to; null when it is of the caller's own request. */
    @Nullable String innerCall();

    AnswerTranscript transcript();
  }

  /**
   * One attempt of one turn.
   *
   * @param endpoint null when the plan does not know it, which does not happen
   */
  record Try(Turn turn, TraceEntry.Attempted attempted, @Nullable Endpoint endpoint) {
    /** What it used and cost. */
    public CallRecord.BillLine line() {
      Bill bill = attempted.failure() == null ? turn.bill() : null;
      return bill == null
          ? new CallRecord.BillLine(attempted.endpoint(), Usage.NONE, Usd.ZERO)
          : new CallRecord.BillLine(attempted.endpoint(), bill.usage(), bill.total());
    }
  }
}
