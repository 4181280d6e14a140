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

/** The parts of a finished request that its records need. Confined to the request's own thread. */
public interface FinishedRequest {
  String id();

  /** Returns when the request arrived. */
  Instant arrivedAt();

  /** Returns when the request arrived, on {@link io.strowger.spi.ambient.Ambient#nanoTime}. */
  long arrivedNanos();

  Caller caller();

  /** Returns the request as the caller sent it. */
  InferenceRequest receivedRequest();

  /** Returns the request after content filters. */
  InferenceRequest filteredRequest();

  /**
   * Returns the request of the first turn that belongs to no inner call; {@link #filteredRequest}
   * when there is no such turn.
   */
  InferenceRequest sentRequest();

  /** Returns the model the caller named, the first when there are several; empty when none. */
  String requestedModel();

  /** Returns the candidate that answered last; null when none did. */
  @Nullable PlannedAttempt answeringCandidate();

  /** Returns the nanoseconds from the arrival to the answer's first content; -1 without content. */
  long firstContentNanos();

  /** Returns the lines of the bill. */
  List<CallRecord.BillLine> billLines();

  /** Returns the answer the caller received; null when no endpoint answered. */
  @Nullable AnswerTranscript transcript();

  /** Returns the turns in the order they were planned. */
  List<? extends Turn> turns();

  /** Returns the last turn that was answered; null when none was. */
  @Nullable Turn lastAnsweredTurn();

  /** Returns every attempt, in order. */
  List<TurnAttempt> turnAttempts();

  /** Returns whether the caller wants to see reasoning. */
  boolean showsReasoning();

  /**
   * How a request ended.
   *
   * @param stopReason why the answer ended; null when no answer was complete
   * @param error the error that the caller received; null when there was none
   * @param cachedAnswer the cached answer that was sent again; null when there was none
   * @param refused whether the caller received no answer
   * @param endedNanos when it ended, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   */
  record Ending(
      CallRecord.Outcome outcome,
      @Nullable StopReason stopReason,
      @Nullable ErrorCode error,
      @Nullable CachedAnswer cachedAnswer,
      boolean refused,
      long endedNanos) {}

  /** One turn: one decision, its attempts and its answer. */
  interface Turn {
    /** Returns the turn's bill; null before the usage is known. */
    @Nullable Bill bill();

    /** Returns the outcome that delivers the turn's answer; null when no endpoint answers. */
    AttemptLoop.Outcome.@Nullable Delivery delivery();

    /** Returns when the turn's answer ended, on {@code Ambient.nanoTime()}. */
    long endedNanos();

    /**
     * Returns the inner call of the turn; null when the turn is part of the caller's own request.
     */
    @Nullable String innerCall();

    AnswerTranscript transcript();
  }

  /**
   * One attempt of one turn.
   *
   * @param endpoint the endpoint; null only when the plan lacks it, which does not happen
   */
  record TurnAttempt(Turn turn, TraceEntry.Attempted traceEntry, @Nullable Endpoint endpoint) {
    /** Returns the attempt's usage and cost. */
    public CallRecord.BillLine billLine() {
      Bill bill = traceEntry.failure() == null ? turn.bill() : null;
      return bill == null
          ? new CallRecord.BillLine(traceEntry.endpoint(), Usage.NONE, Usd.ZERO)
          : new CallRecord.BillLine(traceEntry.endpoint(), bill.usage(), bill.total());
    }
  }
}
