package io.strowger.host.server;

import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The CORS headers of answers. A preflight carries no credential and is answered without one; its
 * answer does not show whether the path exists. Immutable, safe on any thread.
 */
final class CrossOrigin {
  private static final String ANY = "*";
  private static final String MAX_AGE_SECONDS = "600";
  private static final Pattern NAMES =
      Pattern.compile(
          "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}(?:\\s*,\\s*[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}){0,63}");
  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

  /** Response headers that a page may read in addition to those CORS always allows. */
  private static final String EXPOSED =
      "X-Generation-Id, Retry-After, X-Router-Cache-Status, X-Router-Cache-Age,"
          + " X-Router-Cache-TTL, X-Router-Cache-Source-Id, X-RateLimit-Limit,"
          + " X-RateLimit-Remaining, X-RateLimit-Reset";

  private final List<String> origins;

  /**
   * @param origins such as {@code https://app.example}; {@code *} for every origin
   */
  CrossOrigin(List<String> origins) {
    this.origins = List.copyOf(origins);
  }

  /** Returns the answer to a preflight; null for every other request. */
  @Nullable WireResponse preflight(String method, WireRequest.Headers headers) {
    if (!method.equals("OPTIONS")
        || headers.first("Origin") == null
        || headers.first("Access-Control-Request-Method") == null) {
      return null;
    }
    var answer = new LinkedHashMap<String, String>(of(headers));
    answer.put("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
    if (answer.remove("Access-Control-Expose-Headers") != null) {
      answer.put("Access-Control-Allow-Methods", METHODS);
      answer.put("Access-Control-Max-Age", MAX_AGE_SECONDS);
      String requestedHeaders = headers.first("Access-Control-Request-Headers");
      if (requestedHeaders != null && NAMES.matcher(requestedHeaders.strip()).matches()) {
        answer.put("Access-Control-Allow-Headers", requestedHeaders.strip());
      }
    }
    return new WireResponse(204, answer, WireBody.of(new byte[0]));
  }

  /** Returns the CORS headers of the answer to a request; empty when no origin is allowed. */
  Map<String, String> of(WireRequest.Headers headers) {
    if (origins.isEmpty()) {
      return Map.of();
    }
    boolean allowsAny = origins.contains(ANY);
    var answer = new LinkedHashMap<String, String>();
    if (!allowsAny) {
      answer.put("Vary", "Origin");
    }
    String origin = headers.first("Origin");
    if (origin != null && (allowsAny || origins.contains(origin))) {
      answer.put("Access-Control-Allow-Origin", allowsAny ? ANY : origin);
      answer.put("Access-Control-Expose-Headers", EXPOSED);
    }
    return answer;
  }
}
