package io.strowger.core.cache;

/**
 * A request's answer is to come from the cache, or to go into it. Resources fact sheet, section 9.
 *
 * @param ttlSeconds how long it is kept, 1 to 86400
 * @param clear what is there for the request is forgotten first
 */
public record Caching(int ttlSeconds, boolean clear) {
  public static final int MAX_SECONDS = 86_400;

  public Caching {
    if (ttlSeconds < 1 || ttlSeconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "ttlSeconds must be 1 to " + MAX_SECONDS + ", was " + ttlSeconds);
    }
  }
}
