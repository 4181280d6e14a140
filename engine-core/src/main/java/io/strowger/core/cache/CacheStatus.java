package io.strowger.core.cache;

import org.jspecify.annotations.Nullable;

/**
 * What the cache had for a request.
 *
 * @param sourceId generation id of the request that was paid for; null when there was nothing
 * @param ageSeconds how long ago its answer was complete; 0 when there was nothing
 * @param ttlSeconds how long the answer will still be there; of a miss, if it is kept
 */
public record CacheStatus(@Nullable String sourceId, long ageSeconds, long ttlSeconds) {
  public boolean hit() {
    return sourceId != null;
  }
}
