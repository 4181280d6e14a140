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
final class ReplayedAnswer implements Reply.Begun {
  private static final Bill FREE = Meter.free(Usage.NONE);

  private final Iterator<Event> left;
  private final Consumer<CallRecord.Outcome> whenEnded;
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * @param whenEnded called once, on whichever thread ends the answer
   */
  ReplayedAnswer(CachedAnswer answer, Consumer<CallRecord.Outcome> whenEnded) {
    this.left = answer.events().iterator();
    this.whenEnded = whenEnded;
  }

  @Override
  public @Nullable Event next() {
    if (ended.get() || !left.hasNext()) {
      return null;
    }
    Event event = left.next();
    if (event.isTerminal()) {
      end(CallRecord.Outcome.COMPLETE);
    }
    return event;
  }

  private void end(CallRecord.Outcome outcome) {
    if (ended.compareAndSet(false, true)) {
      whenEnded.accept(outcome);
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
