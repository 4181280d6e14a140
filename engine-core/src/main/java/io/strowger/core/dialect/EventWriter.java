package io.strowger.core.dialect;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;

/**
 * Writes the events of one answer as server-sent events of one dialect. For one thread. No event
 * follows a terminal one; an {@link Event.Failed} may come at any time, even first.
 */
@FunctionalInterface
public interface EventWriter {
  /** Appends the output for an event; some events have none, or none yet. */
  void write(Event event, JsonOutput out);
}
