package io.strowger.core.cache;

/**
 * The options of a request that uses the cache of answers. Resources fact sheet, section 9.
 *
 * @param ttlSeconds how long its answer is kept, 1 to 86400
 * @param clear whether a stored answer to the request is removed first
 */
public record CacheOptions(int ttlSeconds, boolean clear) {
  public static final int MAX_SECONDS = 86_400;

  public CacheOptions {
    if (ttlSeconds < 1 || ttlSeconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "ttlSeconds must be 1 to " + MAX_SECONDS + ", was " + ttlSeconds);
    }
  }
}
