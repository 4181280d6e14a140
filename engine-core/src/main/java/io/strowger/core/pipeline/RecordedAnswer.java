package io.strowger.core.pipeline;

import io.strowger.core.cache.Recording;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.model.Event;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is recorded while it is delivered. An answer that is closed before its end is not
 * complete: {@code onComplete} does not run for it. Read by one thread, closed by any.
 *
 * @param onComplete run before the terminal event is returned
 */
record RecordedAnswer(Reply.MeteredAnswer answer, Recording recording, Runnable onComplete)
    implements Reply.MeteredAnswer {
  @Override
  public @Nullable Event next() {
    Event event = answer.next();
    if (event != null) {
      recording.add(event);
      if (event.isTerminal()) {
        try {
          onComplete.run();
        } finally {
          recording.close();
        }
      }
    }
    return event;
  }

  @Override
  public boolean ready() {
    return answer.ready();
  }

  @Override
  public boolean addsCitations() {
    return answer.addsCitations();
  }

  @Override
  public @Nullable Bill bill() {
    return answer.bill();
  }

  @Override
  public void close() {
    try {
      answer.close();
    } finally {
      recording.close();
    }
  }
}
