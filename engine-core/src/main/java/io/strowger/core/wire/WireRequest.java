package io.strowger.core.wire;

import io.strowger.spi.provider.Cancellation;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request, as any server can describe it.
 *
 * @param method {@code GET}, {@code POST} ...
 * @param path from the API's root on, as it came: {@code /chat/completions}. Not decoded, since a
 *     decoded one no longer shows which slashes separate
 * @param query the raw query without the question mark; empty when there is none
 * @param headers looks up headers
 * @param body read at most once, and not before the credential was found good
 * @param cancellation the host trips it with CALLER_GONE when the client goes away
 * @param client the address the connection comes from; null when it is not known, and then failed
 *     credentials are not throttled. The engine reads the headers of trusted proxies itself
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

  /** Returns the path without the one slash at its end that is ignored. */
  public String route() {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** Returns the same request with another body. */
  public WireRequest withBody(InputStream other) {
    return new WireRequest(method, path, query, headers, other, cancellation, client);
  }

  /** A request of a client whose address is not known. */
  public WireRequest(
      String method,
      String path,
      String query,
      Headers headers,
      InputStream body,
      Cancellation cancellation) {
    this(method, path, query, headers, body, cancellation, null);
  }

  /** Returns the same request of a client at another address. */
  public WireRequest from(InetAddress address) {
    return address.equals(client)
        ? this
        : new WireRequest(method, path, query, headers, body, cancellation, address);
  }

  /** Looks up headers. */
  @FunctionalInterface
  public interface Headers {
    /** The first value of the header of this name, in any case; null when there is none. */
    @Nullable String first(String name);

    /**
     * Returns all values of the headers of this name, in their order; empty when there is none. A
     * host behind proxies has to implement it: it is asked for what proxies say of a client, and a
     * client may send the same header, which then comes first. A host that does not implement it
     * says that there is none, so that the address of the connection counts.
     */
    default List<String> all(String name) {
      return List.of();
    }
  }
}
