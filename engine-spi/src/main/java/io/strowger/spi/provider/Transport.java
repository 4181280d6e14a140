package io.strowger.spi.provider;

import io.strowger.spi.json.JsonOutput;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries HTTP requests of adapters and plugins. One instance serves many of them at once and pools
 * its connections. No redirects, no cookies, no decompression. No POST and no PUT is sent twice; a
 * GET is sent again where a connection that was used before ended without a byte of an answer.
 *
 * <p>No answer reaches another request than its own: a connection on which an upstream has sent
 * anything beyond its last response is not used again. Contract test: {@code TransportContract} in
 * engine-tck.
 */
public interface Transport extends AutoCloseable {
  /**
   * Sends a request and waits for the head of the response.
   *
   * @throws java.net.ProtocolException when what comes is not a response
   * @throws NoFreeConnectionException when this transport has as many connections as it may
   * @throws AddressRefusedException when this transport may not connect to any address of the host
   * @throws IOException when there is no response: refused, timed out, cut, or cancelled
   */
  Response send(Request request) throws IOException;

  /**
   * Thrown when the transport has no free connection, by its own limit and not by an upstream's.
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
   * @param headers besides content type and length
   * @param contentType of the body: one line of a header, in ASCII
   * @param body not written to by anybody any more; null: none, and no content type
   * @param silence how long one read may block
   * @param poolKey whose connections may be used: a connection serves requests of equal keys only.
   *     Its text may be logged
   * @param cancellation ends the exchange when it trips, also while it connects
   */
  record Request(
      Method method,
      URI uri,
      Map<String, String> headers,
      String contentType,
      @Nullable JsonOutput body,
      Duration connectTimeout,
      Duration silence,
      Object poolKey,
      Cancellation cancellation) {
    public Request {
      if (method == Method.GET && body != null) {
        throw new IllegalArgumentException("a GET has no body");
      }
    }

    /** The content type of JSON. */
    public static final String JSON = "application/json";

    /** A request whose body is JSON if it has one. */
    public Request(
        Method method,
        URI uri,
        Map<String, String> headers,
        @Nullable JsonOutput body,
        Duration connectTimeout,
        Duration silence,
        Object poolKey,
        Cancellation cancellation) {
      this(method, uri, headers, JSON, body, connectTimeout, silence, poolKey, cancellation);
    }

    /** A POST of JSON. */
    public Request(
        URI uri,
        Map<String, String> headers,
        JsonOutput body,
        Duration connectTimeout,
        Duration silence,
        Object poolKey,
        Cancellation cancellation) {
      this(Method.POST, uri, headers, body, connectTimeout, silence, poolKey, cancellation);
    }

    /** A POST of JSON that shares its connections with all others made this way. */
    public Request(
        URI uri,
        Map<String, String> headers,
        JsonOutput body,
        Duration connectTimeout,
        Duration silence,
        Cancellation cancellation) {
      this(uri, headers, body, connectTimeout, silence, "", cancellation);
    }

    /** Header values may be secrets, and the body is a prompt. */
    @Override
    public String toString() {
      return method + " " + uri + ", " + (body == null ? 0 : body.length()) + " bytes";
    }
  }

  /** The answer. One reader. */
  interface Response extends AutoCloseable {
    int status();

    /** The first header of this name, in any case. */
    @Nullable String header(String name);

    /**
     * The body as it comes. Reading throws {@link IOException} once the exchange was ended, and
     * {@link java.net.ProtocolException} when what comes is not a body.
     */
    InputStream body();

    /**
     * Gives the connection back when the body was read to its end, otherwise ends the exchange at
     * once. Any thread, repeatable.
     */
    @Override
    void close();

    /**
     * Like {@link #close()}, for a reader who knows that the answer is complete though the body was
     * not read to its end: what little is left of it may be read first, so that the connection can
     * serve again. Waits some milliseconds for it, a fraction of a second if it trickles. The
     * reader's thread only.
     */
    default void finish() {
      close();
    }
  }
}
