package io.strowger.core.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A complete answer as a stream of events for the attempt loop. The answer counts against the limit
 * of memory until the stream is closed. Read by one thread, closed by any.
 */
final class CompleteAnswerStream implements EventStream {
  private final EventStream events;
  private final Runnable onClose;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  /**
   * @param document the body that the caller receives
   * @param usage what the answer used; null when it is not known
   * @param onClose run once when this is closed
   */
  CompleteAnswerStream(Json.Obj document, @Nullable Usage usage, Runnable onClose) {
    var eventList = new ArrayList<Event>(2);
    if (usage != null) {
      eventList.add(new Event.UsageReport(usage, null));
    }
    eventList.add(
        new Event.CompleteAnswer(
            new Answer(List.of(), StopReason.END, null, usage, Dialect.CHAT, document)));
    this.events = EventStream.of(eventList);
    this.onClose = onClose;
  }

  @Override
  public @Nullable Event next() {
    return events.next();
  }

  @Override
  public boolean ready() {
    return true;
  }

  @Override
  public void close() {
    events.close();
    if (isClosed.compareAndSet(false, true)) {
      onClose.run();
    }
  }
}
