package io.strowger.core.cache;

import org.jspecify.annotations.Nullable;

/**
 * The result of looking a request up in the cache.
 *
 * @param sourceId generation id of the request that was paid for; null when no answer was found
 * @param ageSeconds how long ago its answer was complete; 0 when no answer was found
 * @param ttlSeconds how long the answer stays cached; after a miss, how long it will stay if it is
 *     stored
 */
public record CacheStatus(@Nullable String sourceId, long ageSeconds, long ttlSeconds) {
  public boolean isHit() {
    return sourceId != null;
  }
}
