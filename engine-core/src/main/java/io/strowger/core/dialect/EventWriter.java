package io.strowger.core.dialect;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;

/**
 * Writes the events of one answer in one dialect, as server-sent events. For one thread. Nothing
 * comes after a terminal event; a {@link Event.Failed} may come at any time, also as the first.
 */
@FunctionalInterface
public interface EventWriter {
  /** Appends what the event comes to, which may be nothing yet. */
  void write(Event event, JsonOutput out);
}
