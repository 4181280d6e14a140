package io.strowger.core.pipeline;

import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.EndCause;
import io.strowger.core.record.AnswerTranscript;
import io.strowger.core.tools.ToolCallCounter;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that comes through plugins. Each turn that the plugins make is metered separately; this
 * class sums the bills of the turns and reports the sum once, before the end. Everything that a
 * plugin left open is closed when the answer is over.
 *
 * <p>Read by one thread, closed by any.
 */
final class ChainedAnswer implements Reply.MeteredAnswer {
  private static final Logger log = LoggerFactory.getLogger(ChainedAnswer.class);

  private final EventStream stream;
  private final CallExchange exchange;
  private final ToolCallCounter tally;
  private final AnswerTranscript transcript;
  private final Runnable onEnd;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Deque<Event> buffer = new ArrayDeque<>();
  private Event.@Nullable UsageReport usageReport;
  private @Nullable Event endingEvent; // next() returns it after the usage report; null otherwise
  private volatile @Nullable Bill bill;

  /**
   * @param stream the outermost plugin's stream
   * @param transcript records what the caller receives
   * @param onEnd run once, on whichever thread ends the answer
   */
  ChainedAnswer(
      EventStream stream,
      CallExchange exchange,
      ToolCallCounter tally,
      AnswerTranscript transcript,
      Runnable onEnd) {
    this.stream = stream;
    this.exchange = exchange;
    this.tally = tally;
    this.transcript = transcript;
    this.onEnd = onEnd;
  }

  /**
   * Waits for the first content. Until then the caller has seen nothing, so a failure is a refusal.
   *
   * @return the failure; null when there is content
   */
  Event.@Nullable Failed begin() {
    while (true) {
      Event event = pull();
      if (event instanceof Event.Failed failure) {
        return failure;
      }
      if (!(event instanceof Event.UsageReport)) {
        buffer.add(event);
      }
      if (event.isContent()) {
        exchange.recordFirstContent();
        return null;
      }
    }
  }

  /** Closes everything that was opened, when the request is refused instead of answered. */
  void giveUp(Event.Failed failure) {
    closeForBug(failure);
    if (ended.compareAndSet(false, true)) {
      try {
        closeAll();
      } finally {
        onEnd.run();
      }
    }
  }

  /**
   * Returns the next event, never null: a plugin's stream that stops without a terminal event has
   * failed.
   */
  private Event pull() {
    try {
      Event event = stream.next();
      if (event instanceof Event.UsageReport usage) {
        usageReport = usage;
      }
      return event != null ? event : new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null);
    } catch (RuntimeException | Error bug) {
      log.error("a plugin's answer broke off", bug);
      return new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null);
    }
  }

  @Override
  public @Nullable Event next() {
    Event pending = endingEvent;
    if (pending != null) {
      endingEvent = null;
      return pending;
    }
    while (!ended.get()) {
      Event event = buffer.isEmpty() ? pull() : buffer.poll();
      if (event instanceof Event.UsageReport) {
        continue; // reported before the end, when the bill is known
      }
      if (ended.get()) {
        return null; // closed while it waited
      }
      transcript.accept(event); // before the answer ends and the record is made
      return event.isTerminal() ? handleTerminal(event) : event;
    }
    return null;
  }

  private Event handleTerminal(Event event) {
    if (event instanceof Event.Finished finished) {
      return finish(finished);
    }
    if (event instanceof Event.CompleteAnswer completeAnswer) {
      return complete(completeAnswer.answer());
    }
    if (event instanceof Event.Failed failure) {
      fail(failure);
    }
    return event;
  }

  private Event finish(Event.Finished finished) {
    end(CallRecord.Outcome.COMPLETE, finished.reason(), null);
    Bill total = bill;
    Event.UsageReport lastReport = usageReport;
    if (total == null) {
      if (lastReport == null) {
        return finished;
      }
      endingEvent = finished; // there is no cost: the plugin's own report is passed on
      return lastReport;
    }
    boolean isOnlyTurn = exchange.turns().size() == 1;
    endingEvent = finished;
    return new Event.UsageReport(
        total.usage(), isOnlyTurn && lastReport != null ? lastReport.frame() : null);
  }

  private Event complete(Answer answer) {
    end(CallRecord.Outcome.COMPLETE, answer.stopReason(), null);
    Bill total = bill;
    Usage usage = total == null ? answer.usage() : total.usage();
    return new Event.CompleteAnswer(
        new Answer(
            answer.parts(),
            answer.stopReason(),
            answer.nativeReason(),
            usage,
            answer.dialect(),
            answer.source()));
  }

  private void fail(Event.Failed failure) {
    boolean isCancelled = failure.kind() == FailureKind.CANCELLED;
    closeForBug(failure);
    end(
        isCancelled ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR,
        isCancelled ? null : StopReason.ERROR,
        isCancelled ? null : failure.code());
  }

  /** After a bug, closes all turns before the plugins do, so that they cost nothing. */
  private void closeForBug(Event.Failed failure) {
    if (EndCause.of(failure) == EndCause.BUG) {
      exchange.work().close(EndCause.BUG);
    }
  }

  private void end(
      CallRecord.Outcome outcome, @Nullable StopReason reason, @Nullable ErrorCode error) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      closeAll();
      Bill sum = exchange.work().totalBill();
      bill =
          sum == null
              ? null
              : sum.withUsage(exchange.citations().addSearches(tally.addTo(sum.usage())));
    } finally {
      try {
        exchange.recordEnd(outcome, reason, error);
      } finally {
        onEnd.run();
      }
    }
  }

  /** Closes the plugins' streams, then any turn that a plugin left open. */
  private void closeAll() {
    try {
      stream.close();
    } catch (RuntimeException | Error bug) {
      log.error("closing a plugin's answer failed", bug);
    }
    exchange.work().close(EndCause.CALLER);
  }

  @Override
  public boolean ready() {
    return ended.get() || !buffer.isEmpty() || stream.ready();
  }

  @Override
  public @Nullable Bill bill() {
    return bill;
  }

  @Override
  public void close() {
    end(CallRecord.Outcome.CANCELLED, null, null);
  }
}
