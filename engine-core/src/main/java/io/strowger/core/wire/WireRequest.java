package io.strowger.core.wire;

import io.strowger.spi.provider.Cancellation;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request, as any server can describe it.
 *
 * @param method {@code GET}, {@code POST} ...
 * @param path decoded, from the API's root on: {@code /chat/completions}
 * @param query the raw query without the question mark; empty when there is none
 * @param headers looks up headers
 * @param body read at most once, and not before the credential was found good
 * @param cancellation the host trips it with CALLER_GONE when the client goes away
 */
public record WireRequest(
    String method,
    String path,
    String query,
    Headers headers,
    InputStream body,
    Cancellation cancellation) {
  public WireRequest {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(cancellation, "cancellation");
  }

  /** A segment of the path, from 0; for paths that were found by a pattern with that many. */
  String segment(int index) {
    return path.split("/", -1)[index + 1];
  }

  /** Looks up headers. */
  @FunctionalInterface
  public interface Headers {
    /** The first value of the header of this name, in any case; null when there is none. */
    @Nullable String first(String name);
  }
}
