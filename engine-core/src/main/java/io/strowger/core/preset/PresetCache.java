package io.strowger.core.preset;

import org.jspecify.annotations.Nullable;

/**
 * What a preset says of caching answers. Resources fact sheet, sections 2 and 9.
 *
 * @param enabled null when it does not say
 * @param ttlSeconds 1 to 86400; null when it does not say
 */
public record PresetCache(@Nullable Boolean enabled, @Nullable Integer ttlSeconds) {
  /** Of a request without a preset. */
  public static final PresetCache SILENT = new PresetCache(null, null);

  /** Members of a preset's config that are no members of a request. */
  public static final String ENABLED = "cache_enabled";

  public static final String TTL_SECONDS = "cache_ttl_seconds";
  public static final int MAX_SECONDS = 86_400;
  private static final int USUAL_SECONDS = 300;

  /**
   * Whether an answer may be cached: a preset that forbids it has the last word, then the request's
   * header, then the preset; nothing is cached unasked.
   *
   * @param header what the header says; null when there is none
   */
  public boolean allows(@Nullable Boolean header) {
    if (Boolean.FALSE.equals(enabled)) {
      return false;
    }
    return header == null ? Boolean.TRUE.equals(enabled) : header;
  }

  /**
   * How long an answer is kept, in seconds.
   *
   * @param header what the header says, 1 to 86400; null when there is none
   */
  public int secondsOr(@Nullable Integer header) {
    if (header != null) {
      return header;
    }
    return ttlSeconds == null ? USUAL_SECONDS : ttlSeconds;
  }
}
