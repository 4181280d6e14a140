package io.strowger.spi.provider;

import io.strowger.spi.json.JsonOutput;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP requests of adapters and plugins. One instance serves many of them at once and pools
 * its connections. It follows no redirects, keeps no cookies and decompresses nothing. It never
 * resends a POST or a PUT; it resends a GET when a reused connection ends before any answer byte.
 *
 * <p>No request receives the answer to another: a connection on which an upstream has sent anything
 * beyond its last response is not used again. Contract test: {@code TransportContract} in
 * engine-tck.
 */
public interface Transport extends AutoCloseable {
  /**
   * Sends a request and waits for the head of the response.
   *
   * @throws java.net.ProtocolException when the received bytes are not a response
   * @throws NoFreeConnectionException when this transport has as many connections as it may have,
   *     and none became free in time
   * @throws AddressRefusedException when this transport may not connect to any address of the host
   * @throws IOException when there is no response: refused, timed out, cut, or cancelled
   */
  Response send(Request request) throws IOException;

  /**
   * Thrown when no connection is free because the transport has reached its own limit of
   * connections, not a limit of an upstream.
   */
  final class NoFreeConnectionException extends IOException {
    private static final long serialVersionUID = 1L;

    public NoFreeConnectionException(@Nullable Throwable cause) {
      super("no connection became free in time", cause);
    }
  }

  /**
   * Thrown when the rules of this transport allow no connection to the host. The message names
   * neither the address nor the network, so that callers learn nothing of the operator's network.
   */
  final class AddressRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    public AddressRefusedException(String message) {
      super(message);
    }
  }

  /** Ends every open exchange and closes all connections. */
  @Override
  void close();

  /** The method of a request. */
  enum Method {
    GET,
    POST,
    PUT
  }

  /**
   * A request.
   *
   * @param headers the headers besides content type and length
   * @param contentType the content type of the body: one header line, in ASCII
   * @param body the body, not modified any more; null for no body and no content type
   * @param readTimeout the longest time that one read may block
   * @param poolKey the connection group: a connection serves requests of equal keys only. The key's
   *     text may be logged
   * @param cancellation ends the exchange when it is cancelled, even while the transport connects
   */
  record Request(
      Method method,
      URI uri,
      Map<String, String> headers,
      String contentType,
      @Nullable JsonOutput body,
      Duration connectTimeout,
      Duration readTimeout,
      Object poolKey,
      Cancellation cancellation) {
    public Request {
      if (method == Method.GET && body != null) {
        throw new IllegalArgumentException("a GET has no body");
      }
    }

    /** The content type of JSON. */
    public static final String JSON = "application/json";

    /** Creates a request whose body, if it has one, is JSON. */
    public Request(
        Method method,
        URI uri,
        Map<String, String> headers,
        @Nullable JsonOutput body,
        Duration connectTimeout,
        Duration readTimeout,
        Object poolKey,
        Cancellation cancellation) {
      this(method, uri, headers, JSON, body, connectTimeout, readTimeout, poolKey, cancellation);
    }

    /** Creates a POST of JSON. */
    public Request(
        URI uri,
        Map<String, String> headers,
        JsonOutput body,
        Duration connectTimeout,
        Duration readTimeout,
        Object poolKey,
        Cancellation cancellation) {
      this(Method.POST, uri, headers, body, connectTimeout, readTimeout, poolKey, cancellation);
    }

    /** Creates a POST of JSON that shares its connections with all others created this way. */
    public Request(
        URI uri,
        Map<String, String> headers,
        JsonOutput body,
        Duration connectTimeout,
        Duration readTimeout,
        Cancellation cancellation) {
      this(uri, headers, body, connectTimeout, readTimeout, "", cancellation);
    }

    /** Returns method, address and size only; header values may be secrets, the body a prompt. */
    @Override
    public String toString() {
      return method + " " + uri + ", " + (body == null ? 0 : body.length()) + " bytes";
    }
  }

  /** The response to a request. Only one thread reads its body. */
  interface Response extends AutoCloseable {
    int status();

    /** Returns the first header of this name, ignoring case; null when there is none. */
    @Nullable String header(String name);

    /**
     * Returns the body as it arrives. Reading throws {@link IOException} after the exchange ended,
     * and {@link java.net.ProtocolException} when the received bytes are not a body.
     */
    InputStream body();

    /**
     * Gives the connection back when the body was read to its end, otherwise ends the exchange at
     * once. May be called on any thread, any number of times.
     */
    @Override
    void close();

    /**
     * Closes like {@link #close()}, for a reader who knows that the answer is complete before the
     * end of the body. May first read what is left of the body if it is short, so that the
     * connection can be reused; waits some milliseconds for it, or a fraction of a second while
     * bytes still arrive. Called on the reader's thread only.
     */
    default void finish() {
      close();
    }
  }
}
