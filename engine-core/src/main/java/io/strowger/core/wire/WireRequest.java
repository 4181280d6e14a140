package io.strowger.core.wire;

import io.strowger.spi.provider.Cancellation;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request, in a form that any HTTP server can supply.
 *
 * @param method {@code GET}, {@code POST} ...
 * @param path the raw path below the API's root, such as {@code /chat/completions}. Not decoded,
 *     since decoding makes escaped slashes look like separators
 * @param query the raw query without the question mark; empty when there is none
 * @param headers looks up the request's headers
 * @param body read at most once, and only after authentication succeeded
 * @param cancellation the host trips it with CALLER_GONE when the client disconnects
 * @param client the remote address of the connection; null when unknown: then failed credentials
 *     are not throttled. The engine reads the headers of trusted proxies itself
 */
public record WireRequest(
    String method,
    String path,
    String query,
    Headers headers,
    InputStream body,
    Cancellation cancellation,
    @Nullable InetAddress client) {
  public WireRequest {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(cancellation, "cancellation");
  }

  /** Returns the path without one trailing slash, if it has one. */
  public String normalizedPath() {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** Returns the same request with another body. */
  public WireRequest withBody(InputStream newBody) {
    return new WireRequest(method, path, query, headers, newBody, cancellation, client);
  }

  /** Creates a request of a client whose address is not known. */
  public WireRequest(
      String method,
      String path,
      String query,
      Headers headers,
      InputStream body,
      Cancellation cancellation) {
    this(method, path, query, headers, body, cancellation, null);
  }

  /** Returns the same request with another client address. */
  public WireRequest withClient(InetAddress address) {
    return address.equals(client)
        ? this
        : new WireRequest(method, path, query, headers, body, cancellation, address);
  }

  /** Looks up the headers of a request. */
  @FunctionalInterface
  public interface Headers {
    /** Returns the first value of this header, case-insensitively; null when there is none. */
    @Nullable String first(String name);

    /**
     * Returns all values of this header, in order; empty when there is none. A host behind proxies
     * must implement this method: the engine uses it to read the headers that proxies add. A client
     * may send the same header itself; the client's value then comes first. The default returns
     * none, so that the address of the connection is used.
     */
    default List<String> all(String name) {
      return List.of();
    }
  }
}
