package io.strowger.core.http;

import io.strowger.core.cache.CacheOptions;
import io.strowger.core.cache.CacheStatus;
import io.strowger.core.preset.PresetCacheSettings;
import io.strowger.core.wire.WireRequest;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The headers of the response cache. Resources fact sheet, section 9.
 *
 * <p>Headers of a request:
 *
 * <ul>
 *   <li>{@code X-Router-Cache: true} or {@code false}, in upper or lower case; other values are
 *       ignored
 *   <li>{@code X-Router-Cache-TTL}, in seconds: only the leading number of a value is used, so
 *       {@code 60abc} and {@code 60.9} are 60; a value that does not begin with a number is
 *       ignored; a number out of range becomes the nearest allowed number
 *   <li>{@code X-Router-Cache-Clear: true} removes a stored answer first
 * </ul>
 *
 * <p>Headers of a response, when the cache was used:
 *
 * <ul>
 *   <li>{@code X-Router-Cache-Status}: {@code HIT} or {@code MISS}
 *   <li>{@code X-Router-Cache-TTL}: how long the answer stays stored, in seconds
 *   <li>after a hit, {@code X-Router-Cache-Age}: the age of the answer, in seconds
 *   <li>after a hit, {@code X-Router-Cache-Source-Id}: the generation id of the call that was
 *       answered by a provider
 * </ul>
 */
final class CacheHeaders {
  private static final String PREFIX = "X-Router-Cache";

  private CacheHeaders() {}

  /** Returns how the answer to a request is cached; null when it is not. */
  static @Nullable CacheOptions of(WireRequest.Headers headers, PresetCacheSettings preset) {
    return preset.allows(flag(headers.first(PREFIX)))
        ? new CacheOptions(
            preset.effectiveTtlSeconds(seconds(headers.first(PREFIX + "-TTL"))),
            Boolean.TRUE.equals(flag(headers.first(PREFIX + "-Clear"))))
        : null;
  }

  private static @Nullable Boolean flag(@Nullable String value) {
    return switch (value == null ? "" : value.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> Boolean.TRUE;
      case "false" -> Boolean.FALSE;
      default -> null;
    };
  }

  private static @Nullable Integer seconds(@Nullable String value) {
    String text = value == null ? "" : value.strip();
    boolean isNegative = text.startsWith("-");
    int start = isNegative || text.startsWith("+") ? 1 : 0;
    long seconds = 0;
    int i = start;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      seconds = Math.min(seconds * 10 + text.charAt(i) - '0', CacheOptions.MAX_SECONDS);
      i++;
    }
    if (i == start) {
      return null;
    }
    return isNegative ? 1 : (int) Math.max(1, seconds);
  }

  /** Adds the headers that report a hit or miss; none when the cache was not used. */
  static void put(@Nullable CacheStatus status, Map<String, String> headers) {
    if (status == null) {
      return;
    }
    headers.put(PREFIX + "-Status", status.isHit() ? "HIT" : "MISS");
    headers.put(PREFIX + "-TTL", Long.toString(status.ttlSeconds()));
    if (status.sourceId() != null) {
      headers.put(PREFIX + "-Age", Long.toString(status.ageSeconds()));
      headers.put(PREFIX + "-Source-Id", status.sourceId());
    }
  }
}
