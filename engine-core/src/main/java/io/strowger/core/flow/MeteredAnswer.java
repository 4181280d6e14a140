package io.strowger.core.flow;

import io.strowger.core.meter.Bill;
import io.strowger.core.meter.Meter;
import io.strowger.core.meter.PromptSize;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.Candidate;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is counted while it is handed out. Ends once, in one of three ways: complete,
 * failed, or given up; then what was delivered is priced and the end is reported, which pays it.
 * The upstream's own count wins; without one, what passed is counted and marked as estimated.
 */
final class MeteredAnswer implements Reply.Begun, EventStream {
  private static final int BYTES_PER_TOKEN = 4;

  private final Ambient ambient;
  private final EventStream upstream;
  private final Candidate by;
  private final PromptSize size;
  private final Instant at;
  private final Consumer<End> whenEnded;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile long seenBytes;
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
   * @param at the moment of the request, for prices that depend on the hour
   * @param whenEnded called once, on whichever thread ends the answer
   */
  MeteredAnswer(
      Ambient ambient,
      EventStream upstream,
      Candidate by,
      PromptSize size,
      Instant at,
      Consumer<End> whenEnded) {
    this.ambient = ambient;
    this.upstream = upstream;
    this.by = by;
    this.size = size;
    this.at = at;
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
        case Event.TextDelta text -> {
          return seen(text, text.text().utf8Bound());
        }
        case Event.ReasoningDelta reasoning -> {
          return seen(reasoning, reasoning.text().utf8Bound());
        }
        case Event.ToolCallDelta call -> {
          return seen(call, call.arguments().utf8Bound());
        }
        case Event.RefusalDelta refusal -> {
          return seen(refusal, refusal.text().utf8Bound());
        }
        case Event.Signature e -> {
          return e;
        }
        case Event.Encrypted encrypted -> {
          return seen(encrypted, encrypted.data().utf8Bound());
        }
        case Event.Logprobs e -> {
          return e;
        }
        case Event.ServerToolRun e -> {
          return e;
        }
        case Event.BlockStart e -> {
          return e;
        }
        case Event.BlockStop e -> {
          return e;
        }
        case Event.Opaque opaque -> {
          return seen(opaque, BYTES_PER_TOKEN);
        }
        case Event.Started e -> {
          return e;
        }
        case Event.Annotation e -> {
          return e;
        }
        case Event.Debug e -> {
          return e;
        }
      }
    }
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer
  private Event seen(Event event, long bytes) {
    seenBytes = seenBytes + bytes;
    return event;
  }

  private Event finish(Event.Finished finished) {
    end(CallRecord.Outcome.COMPLETE, finished.reason(), null);
    Bill settled = bill;
    Event.UsageReport usage = report;
    if (usage == null && settled != null) {
      usage = new Event.UsageReport(settled.usage(), null);
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
    for (Part part : answer.parts()) {
      if (part instanceof Part.Text text) {
        seen(whole, text.text().utf8Bound());
      } else if (part instanceof Part.ToolCall call) {
        seen(whole, call.arguments().utf8Bound());
      }
    }
    end(CallRecord.Outcome.COMPLETE, answer.stopReason(), null);
    return whole;
  }

  private void fail(Event.Failed failed) {
    boolean gone = failed.kind() == FailureKind.CANCELLED;
    end(
        gone ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR,
        gone ? null : StopReason.ERROR,
        failed.code());
  }

  private void end(
      CallRecord.Outcome outcome, @Nullable StopReason reason, @Nullable ErrorCode error) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    endedAt = ambient.nanoTime();
    Bill total = priced(reason);
    bill = total;
    whenEnded.accept(new End(outcome, reason, error, total));
  }

  private Bill priced(@Nullable StopReason reason) {
    Usage counted = reported;
    if (counted != null) {
      try {
        // an answer given up was counted before it was given up
        return priced(reason == null ? counted.withAtLeast(tokens(seenBytes)) : counted, reason);
      } catch (ArithmeticException absurd) {
        // a count so large that no money expresses it is not a count
      }
    }
    return priced(estimate(), reason);
  }

  private Bill priced(Usage used, @Nullable StopReason reason) {
    Pricing pricing = by.endpoint().pricing().effective(used.promptTokens(), at);
    if (Meter.insured(used, reason)) {
      return Meter.waived(used, pricing, by.byokKey() != null);
    }
    return by.byokKey() == null ? Meter.bill(used, pricing) : Meter.byok(used, pricing);
  }

  private Usage estimate() {
    return Usage.builder()
        .freshInput(tokens(size.bytes()))
        .outputText(tokens(seenBytes))
        .estimated(true)
        .build();
  }

  private static long tokens(long bytes) {
    return (bytes + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
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
    try {
      upstream.close();
    } finally {
      end(CallRecord.Outcome.CANCELLED, null, null);
    }
  }
}
