package io.strowger.core.pipeline;

import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.Meter;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An answer from the cache. No provider is called and no money is held, so it costs nothing. Read
 * by one thread, closed by any.
 */
final class ReplayedAnswer implements Reply.MeteredAnswer {
  private static final Bill FREE = Meter.free(Usage.NONE);

  private final Iterator<Event> events;
  private final Consumer<CallRecord.Outcome> onEnd;
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * @param onEnd called once, on whichever thread ends the answer
   */
  ReplayedAnswer(CachedAnswer answer, Consumer<CallRecord.Outcome> onEnd) {
    this.events = answer.events().iterator();
    this.onEnd = onEnd;
  }

  @Override
  public @Nullable Event next() {
    if (ended.get() || !events.hasNext()) {
      return null;
    }
    Event event = events.next();
    if (event.isTerminal()) {
      end(CallRecord.Outcome.COMPLETE);
    }
    return event;
  }

  private void end(CallRecord.Outcome outcome) {
    if (ended.compareAndSet(false, true)) {
      onEnd.accept(outcome);
    }
  }

  @Override
  public boolean ready() {
    return true;
  }

  @Override
  public Bill bill() {
    return FREE;
  }

  @Override
  public void close() {
    end(CallRecord.Outcome.CANCELLED);
  }
}
