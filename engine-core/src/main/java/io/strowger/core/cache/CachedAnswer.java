package io.strowger.core.cache;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import java.util.List;
import java.util.Objects;

/**
 * A complete answer to be replayed: the same events, with a usage of zero. Immutable.
 *
 * @param sourceId generation id of the request that was paid for
 * @param endpoint the endpoint that answered
 * @param events all events of the answer; the last one ends it
 * @param reason why it ended
 * @param ttlSeconds how long it is kept, 1 to 86400
 * @param storedNanos when it was complete, on {@code Ambient.nanoTime()}
 * @param bytes the approximate memory it takes
 */
public record CachedAnswer(
    String sourceId,
    Endpoint endpoint,
    List<Event> events,
    StopReason reason,
    int ttlSeconds,
    long storedNanos,
    long bytes) {
  public CachedAnswer {
    Objects.requireNonNull(sourceId, "sourceId");
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(reason, "reason");
    events = List.copyOf(events);
  }
}
