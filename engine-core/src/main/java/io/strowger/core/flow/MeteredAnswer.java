package io.strowger.core.flow;

import io.strowger.core.meter.Bill;
import io.strowger.core.meter.DeliveredOutput;
import io.strowger.core.meter.EndCause;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.EventStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is counted while it is handed out. Ends once, in one of three ways: complete,
 * failed, or given up; then what was delivered is priced and the end is reported, which pays it.
 * The upstream's own count wins; without one, what passed is counted and marked as estimated.
 */
final class MeteredAnswer implements Reply.Begun, EventStream {
  private final Ambient ambient;
  private final EventStream upstream;
  private final AnswerPrice price;
  private final BooleanSupplier brokeUnread;
  private final Consumer<End> whenEnded;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final DeliveredOutput delivered = new DeliveredOutput();
  private volatile @Nullable Usage reported;
  private volatile @Nullable Bill bill;
  private volatile long endedAt;
  private Event.@Nullable UsageReport report;
  private @Nullable Event after; // the ending event, while the usage report before it is handed out

  /**
   * How an answer ended.
   *
   * @param error what the caller was told; null when all went well
   */
  record End(
      CallRecord.Outcome outcome,
      @Nullable StopReason stopReason,
      @Nullable ErrorCode error,
      Bill bill) {}

  /**
   * @param brokeUnread whether the connection was lost because the caller did not read, maybe: then
   *     the failure is not insured
   * @param whenEnded called once, on whichever thread ends the answer
   */
  MeteredAnswer(
      Ambient ambient,
      EventStream upstream,
      AnswerPrice price,
      BooleanSupplier brokeUnread,
      Consumer<End> whenEnded) {
    this.ambient = ambient;
    this.upstream = upstream;
    this.price = price;
    this.brokeUnread = brokeUnread;
    this.whenEnded = whenEnded;
  }

  @Override
  public EventStream events() {
    return this;
  }

  @Override
  public @Nullable Bill bill() {
    return bill;
  }

  @Override
  public @Nullable Event next() {
    Event pending = after;
    if (pending != null) {
      after = null;
      return pending;
    }
    if (ended.get()) {
      return null;
    }
    while (true) {
      Event event = upstream.next();
      switch (event) {
        case null -> {
          return null;
        }
        case Event.UsageReport usage -> {
          delivered.add(usage);
          report = usage; // a later one replaces it; handed out before the end, when it is billed
          reported = usage.usage();
        }
        case Event.Finished finished -> {
          return finish(finished);
        }
        case Event.Whole whole -> {
          return complete(whole);
        }
        case Event.Failed failed -> {
          fail(failed);
          return failed;
        }
        case Event.TextDelta e -> {
          return counted(e);
        }
        case Event.ReasoningDelta e -> {
          return counted(e);
        }
        case Event.ToolCallDelta e -> {
          return counted(e);
        }
        case Event.RefusalDelta e -> {
          return counted(e);
        }
        case Event.Encrypted e -> {
          return counted(e);
        }
        case Event.Opaque e -> {
          return counted(e);
        }
        case Event.Signature e -> {
          return counted(e);
        }
        case Event.Logprobs e -> {
          return counted(e);
        }
        case Event.ServerToolRun e -> {
          return counted(e);
        }
        case Event.BlockStart e -> {
          return counted(e);
        }
        case Event.BlockStop e -> {
          return counted(e);
        }
        case Event.Started e -> {
          return counted(e);
        }
        case Event.Annotation e -> {
          return counted(e);
        }
        case Event.Debug e -> {
          return counted(e);
        }
      }
    }
  }

  private Event counted(Event event) {
    delivered.add(event);
    return event;
  }

  private Event finish(Event.Finished finished) {
    end(CallRecord.Outcome.COMPLETE, finished.reason(), null, EndCause.of(finished.reason()));
    Bill settled = bill;
    Event.UsageReport usage = report;
    if (settled != null && (usage == null || !settled.usage().equals(usage.usage()))) {
      usage = new Event.UsageReport(settled.usage(), null); // what is charged is what is told
    }
    if (usage == null) {
      return finished;
    }
    after = finished;
    return usage;
  }

  private Event complete(Event.Whole whole) {
    Answer answer = whole.answer();
    reported = answer.usage();
    delivered.add(whole);
    end(CallRecord.Outcome.COMPLETE, answer.stopReason(), null, EndCause.of(answer.stopReason()));
    return whole;
  }

  private void fail(Event.Failed failed) {
    EndCause cause = EndCause.of(failed);
    if (cause == EndCause.CALLER) {
      end(CallRecord.Outcome.CANCELLED, null, failed.code(), cause);
    } else {
      boolean unread = cause == EndCause.PROVIDER && brokeUnread.getAsBoolean();
      EndCause pays = unread ? EndCause.CALLER : cause;
      end(CallRecord.Outcome.ERROR, StopReason.ERROR, failed.code(), pays);
    }
  }

  private void end(
      CallRecord.Outcome outcome,
      @Nullable StopReason reason,
      @Nullable ErrorCode error,
      EndCause cause) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    endedAt = ambient.nanoTime();
    Bill total = price.of(reported, delivered, cause);
    bill = total;
    whenEnded.accept(new End(outcome, reason, error, total));
  }

  /** When the answer ended on {@link Ambient#nanoTime()}; now, while it has not. */
  long endedNanos() {
    return ended.get() ? endedAt : ambient.nanoTime();
  }

  @Override
  public boolean ready() {
    return after != null || ended.get() || upstream.ready();
  }

  @Override
  public void close() {
    close(EndCause.CALLER);
  }

  /** Closes it, and what made that necessary decides who pays for what was delivered. */
  void close(EndCause cause) {
    try {
      upstream.close();
    } finally {
      end(CallRecord.Outcome.CANCELLED, null, null, cause);
    }
  }
}
