package io.strowger.spi.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The application that a request came from. Used in records only and never sent to an upstream.
 * Resources fact sheet, section 12. Immutable.
 *
 * @param referer address of the application; null when not given
 * @param title name of the application; null when not given
 * @param categories the categories of the application, at most two
 * @param userAgent the client's {@code User-Agent} header; null when not given
 * @param preset id of the preset that was merged under the request; null when none was
 */
public record RequestOrigin(
    @Nullable String referer,
    @Nullable String title,
    List<String> categories,
    @Nullable String userAgent,
    @Nullable String preset) {
  /** An origin of which nothing is known. */
  public static final RequestOrigin UNKNOWN = new RequestOrigin(null, null, List.of(), null, null);

  public RequestOrigin {
    categories = List.copyOf(Objects.requireNonNull(categories, "categories"));
  }
}
