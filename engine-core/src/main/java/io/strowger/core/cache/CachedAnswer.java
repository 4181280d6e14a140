package io.strowger.core.cache;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import java.util.List;
import java.util.Objects;

/**
 * A complete answer as it is given a second time: the same events, but nothing was used. Immutable.
 *
 * @param sourceId generation id of the request that was paid for
 * @param endpoint who answered
 * @param events all of them, the ending one last
 * @param reason why it ended
 * @param ttlSeconds how long it is kept, 1 to 86400
 * @param storedNanos when it was complete, on the gateway's clock for measuring
 * @param bytes about how much memory it takes
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
