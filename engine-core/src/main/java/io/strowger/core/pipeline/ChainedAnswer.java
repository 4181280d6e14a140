package io.strowger.core.pipeline;

import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.EndCause;
import io.strowger.core.record.AnswerTranscript;
import io.strowger.core.tools.ToolTally;
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
 * An answer that comes through plugins. Each turn behind them is metered separately; this class
 * sums their bills and reports the sum once, before the end. Everything that a plugin left open is
 * closed when the answer is over.
 *
 * <p>Read by one thread, closed by any.
 */
final class ChainedAnswer implements Reply.Begun {
  private static final Logger log = LoggerFactory.getLogger(ChainedAnswer.class);

  private final EventStream inner;
  private final CallExchange exchange;
  private final ToolTally tally;
  private final AnswerTranscript shown;
  private final Runnable whenEnded;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Deque<Event> waiting = new ArrayDeque<>();
  private Event.@Nullable UsageReport report;
  private @Nullable Event after; // the ending event, while the usage before it is handed out
  private volatile @Nullable Bill bill;

  /**
   * @param inner the outermost plugin's stream
   * @param shown records what the caller receives
   * @param whenEnded run once, on whichever thread ends the answer
   */
  ChainedAnswer(
      EventStream inner,
      CallExchange exchange,
      ToolTally tally,
      AnswerTranscript shown,
      Runnable whenEnded) {
    this.inner = inner;
    this.exchange = exchange;
    this.tally = tally;
    this.shown = shown;
    this.whenEnded = whenEnded;
  }

  /**
   * Waits for the first content. Until then the caller has seen nothing, so a failure is a refusal.
   *
   * @return the failure; null when there is content
   */
  Event.@Nullable Failed begin() {
    while (true) {
      Event event = pull();
      if (event instanceof Event.Failed failed) {
        return failed;
      }
      if (!(event instanceof Event.UsageReport)) {
        waiting.add(event);
      }
      if (event.isContent()) {
        exchange.onContent();
        return null;
      }
    }
  }

  /** Closes everything that was opened, when the request is refused instead of answered. */
  void giveUp(Event.Failed failed) {
    closeForBug(failed);
    if (ended.compareAndSet(false, true)) {
      try {
        closeAll();
      } finally {
        whenEnded.run();
      }
    }
  }

  /**
   * Returns the next event, never null: a plugin's stream that stops without an ending event has
   * failed.
   */
  private Event pull() {
    try {
      Event event = inner.next();
      if (event instanceof Event.UsageReport usage) {
        report = usage;
      }
      return event != null ? event : new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null);
    } catch (RuntimeException | Error bug) {
      log.error("a plugin's answer broke off", bug);
      return new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null);
    }
  }

  @Override
  public @Nullable Event next() {
    Event pending = after;
    if (pending != null) {
      after = null;
      return pending;
    }
    while (!ended.get()) {
      Event event = waiting.isEmpty() ? pull() : waiting.poll();
      if (event instanceof Event.UsageReport) {
        continue; // reported before the end, when the bill is known
      }
      if (ended.get()) {
        return null; // closed while it waited
      }
      shown.accept(event); // before the end, which makes the record
      return event.isTerminal() ? last(event) : event;
    }
    return null;
  }

  private Event last(Event event) {
    if (event instanceof Event.Finished finished) {
      return finish(finished);
    }
    if (event instanceof Event.CompleteAnswer whole) {
      return complete(whole.answer());
    }
    if (event instanceof Event.Failed failed) {
      fail(failed);
    }
    return event;
  }

  private Event finish(Event.Finished finished) {
    end(CallRecord.Outcome.COMPLETE, finished.reason(), null);
    Bill settled = bill;
    Event.UsageReport last = report;
    if (settled == null) {
      if (last == null) {
        return finished;
      }
      after = finished; // there is no cost: the plugin's own report is passed on
      return last;
    }
    boolean alone = exchange.turns().size() == 1;
    after = finished;
    return new Event.UsageReport(settled.usage(), alone && last != null ? last.frame() : null);
  }

  private Event complete(Answer answer) {
    end(CallRecord.Outcome.COMPLETE, answer.stopReason(), null);
    Bill settled = bill;
    Usage usage = settled == null ? answer.usage() : settled.usage();
    return new Event.CompleteAnswer(
        new Answer(
            answer.parts(),
            answer.stopReason(),
            answer.nativeReason(),
            usage,
            answer.dialect(),
            answer.source()));
  }

  private void fail(Event.Failed failed) {
    boolean gone = failed.kind() == FailureKind.CANCELLED;
    closeForBug(failed);
    end(
        gone ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR,
        gone ? null : StopReason.ERROR,
        gone ? null : failed.code());
  }

  /** After a bug, closes all turns before the plugins do, so that they cost nothing. */
  private void closeForBug(Event.Failed failed) {
    if (EndCause.of(failed) == EndCause.BUG) {
      exchange.closeAll(EndCause.BUG);
    }
  }

  private void end(
      CallRecord.Outcome outcome, @Nullable StopReason reason, @Nullable ErrorCode error) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      closeAll();
      Bill sum = exchange.total();
      bill = sum == null ? null : sum.withUsage(exchange.citations().on(tally.on(sum.usage())));
    } finally {
      try {
        exchange.ended(outcome, reason, error);
      } finally {
        whenEnded.run();
      }
    }
  }

  /** Closes the plugins' streams, then any turn that a plugin left open. */
  private void closeAll() {
    try {
      inner.close();
    } catch (RuntimeException | Error bug) {
      log.error("closing a plugin's answer failed", bug);
    }
    exchange.closeAll(EndCause.CALLER);
  }

  @Override
  public boolean ready() {
    return ended.get() || !waiting.isEmpty() || inner.ready();
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
