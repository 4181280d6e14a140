package io.strowger.core.http;

import io.strowger.core.wire.WireRequest;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.model.RequestOrigin;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers in which a request describes its application: {@code HTTP-Referer}, or {@code
 * Referer}; {@code X-Router-Title}, or {@code X-Title}; {@code X-Router-Categories}; {@code
 * User-Agent}. None of these headers can make a request invalid: a long value is cut, and a
 * malformed category is left out. Resources fact sheet, section 12.
 */
final class OriginHeaders {
  private static final int MAX_CHARS = 1_000;
  private static final int MAX_CATEGORIES = 2;
  private static final Pattern CATEGORY = Pattern.compile("[a-z0-9]+(?:-[a-z0-9]+)*");
  private static final int CATEGORY_CHARS = 30;

  private OriginHeaders() {}

  /**
   * Returns the origin of a request.
   *
   * @param preset id of the preset that was merged into the request; null when there was none
   */
  static RequestOrigin of(WireRequest.Headers headers, @Nullable String preset) {
    return new RequestOrigin(
        firstPresent(headers, "HTTP-Referer", "Referer"),
        firstPresent(headers, "X-Router-Title", "X-Title"),
        categories(headers.first("X-Router-Categories")),
        text(headers.first("User-Agent")),
        preset);
  }

  private static @Nullable String firstPresent(
      WireRequest.Headers headers, String name, String fallback) {
    String value = text(headers.first(name));
    return value == null ? text(headers.first(fallback)) : value;
  }

  private static @Nullable String text(@Nullable String header) {
    String value = header == null ? "" : beginning(header).strip();
    return value.isEmpty() ? null : value;
  }

  private static String beginning(String header) {
    return ShortText.beginning(header, MAX_CHARS);
  }

  private static List<String> categories(@Nullable String header) {
    return header == null
        ? List.of()
        : Arrays.stream(beginning(header).split(",", -1))
            .map(word -> word.strip().toLowerCase(Locale.ROOT))
            .filter(word -> word.length() <= CATEGORY_CHARS && CATEGORY.matcher(word).matches())
            .distinct()
            .limit(MAX_CATEGORIES)
            .toList();
  }
}
