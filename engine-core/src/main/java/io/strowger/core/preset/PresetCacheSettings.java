package io.strowger.core.preset;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a preset for caching answers. Resources fact sheet, sections 2 and 9.
 *
 * @param enabled whether answers may be cached; null when not set
 * @param ttlSeconds how long answers are kept, 1 to 86400 seconds; null when not set
 */
public record PresetCacheSettings(@Nullable Boolean enabled, @Nullable Integer ttlSeconds) {
  /** The settings for a request without a preset. */
  public static final PresetCacheSettings UNSET = new PresetCacheSettings(null, null);

  /** A member of a preset's config that is no member of a request, like {@link #TTL_SECONDS}. */
  public static final String ENABLED = "cache_enabled";

  public static final String TTL_SECONDS = "cache_ttl_seconds";
  public static final int MAX_TTL_SECONDS = 86_400;
  private static final int DEFAULT_TTL_SECONDS = 300;

  /**
   * Returns whether an answer may be cached: a preset that forbids it wins, then the request's
   * header decides, then the preset; by default nothing is cached.
   *
   * @param headerValue the value of the request's header; null when it is absent
   */
  public boolean allows(@Nullable Boolean headerValue) {
    if (Boolean.FALSE.equals(enabled)) {
      return false;
    }
    return headerValue == null ? Boolean.TRUE.equals(enabled) : headerValue;
  }

  /**
   * Returns how long an answer is kept, in seconds.
   *
   * @param headerValue the value of the request's header, 1 to 86400; null when it is absent
   */
  public int effectiveTtlSeconds(@Nullable Integer headerValue) {
    if (headerValue != null) {
      return headerValue;
    }
    return ttlSeconds == null ? DEFAULT_TTL_SECONDS : ttlSeconds;
  }
}
