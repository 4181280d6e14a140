package io.strowger.core.http;

import io.strowger.core.decode.Problems;
import io.strowger.core.inference.Inference;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.RequestOrigin;
import io.strowger.spi.observe.TraceContext;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the headers of an inference request that describe it. */
final class RequestHeaders {
  private static final int MAX_SESSION_CHARS = 256;
  private static final int MAX_ORIGIN_CHARS = 1_000;
  private static final int MAX_CATEGORIES = 2;
  private static final Pattern CATEGORY = Pattern.compile("[a-z0-9]+(?:-[a-z0-9]+)*");
  private static final int CATEGORY_CHARS = 30;

  private RequestHeaders() {}

  /**
   * Returns the session from {@code x-session-id}, which stands in for an absent {@code
   * session_id}; null when the body has its own, valid or not, when the header is absent or empty,
   * and when it is too long, which is noted as a problem.
   */
  static @Nullable String session(WireRequest.Headers headers, Json.Obj body, Problems problems) {
    String session = headers.first("x-session-id");
    if (session == null || session.isEmpty() || body.has("session_id")) {
      return null;
    }
    if (session.codePointCount(0, session.length()) <= MAX_SESSION_CHARS) {
      return session;
    }
    problems.add(
        JsonPointer.ROOT,
        "the header x-session-id must have at most 256 characters",
        Problems.displayText(Json.of(session)));
    return null;
  }

  /**
   * Returns the caller's W3C Trace Context, read only when calls are traced. It never makes a
   * request invalid: a malformed value is ignored.
   */
  static Inference.Origin trace(WireRequest.Headers headers) {
    return () -> readTrace(headers);
  }

  private static @Nullable TraceContext readTrace(WireRequest.Headers headers) {
    String parent = headers.first("traceparent");
    if (parent == null || headers.all("traceparent").size() > 1) {
      return null; // of two, it is unknown which one is the caller's
    }
    List<String> states = headers.all("tracestate");
    // a host need not implement all(); then first() has the only known value
    return TraceContext.parse(
        parent, states.isEmpty() ? headers.first("tracestate") : String.join(",", states));
  }

  /**
   * Returns how a request describes its application: {@code HTTP-Referer}, or {@code Referer};
   * {@code X-Router-Title}, or {@code X-Title}; {@code X-Router-Categories}; {@code User-Agent}.
   * None of these headers can make a request invalid: a long value is cut, and a malformed category
   * is left out. Resources fact sheet, section 12.
   *
   * @param preset id of the preset that was merged into the request; null when there was none
   */
  static RequestOrigin origin(WireRequest.Headers headers, @Nullable String preset) {
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
    return ShortText.beginning(header, MAX_ORIGIN_CHARS);
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
