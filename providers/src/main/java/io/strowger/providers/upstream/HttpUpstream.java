package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.spi.error.Failure;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An upstream over HTTP. Sends requests of any kind, classifies refusals, and reads documents. Safe
 * on any thread.
 */
public final class HttpUpstream {
  private static final int MAX_REFUSAL_BYTES = 64 << 10;
  private static final int OK = 200;
  private static final String TRACEPARENT = "traceparent";

  private final Transport transport;
  private final ProviderSettings settings;

  /**
   * @param transport the transport, which its owner closes
   */
  public HttpUpstream(Transport transport, ProviderSettings settings) {
    this.transport = transport;
    this.settings = settings;
  }

  /**
   * A request to the upstream.
   *
   * @param accept the media type of the answer, for the {@code Accept} header
   * @param headers the headers, which replace configured ones of the same name
   * @param contentType the media type of the body
   * @param readTimeout how long one read may block
   * @param traceparent the value of the header of this name; null to send none
   */
  public record UpstreamRequest(
      URI uri,
      String accept,
      Map<String, String> headers,
      String contentType,
      JsonOutput body,
      Credential credential,
      Duration readTimeout,
      @Nullable String traceparent) {
    /** Creates a request with a JSON body. */
    public UpstreamRequest(
        URI uri,
        String accept,
        Map<String, String> headers,
        JsonOutput body,
        Credential credential,
        Duration readTimeout,
        @Nullable String traceparent) {
      this(
          uri, accept, headers, Transport.Request.JSON, body, credential, readTimeout, traceparent);
    }
  }

  /**
   * Returns whether a response claims to be JSON. Lenient, since upstreams often send malformed
   * media types.
   */
  public static boolean isJson(Transport.Response response) {
    String type = response.header("content-type");
    return type != null && type.toLowerCase(Locale.ROOT).contains("json");
  }

  /**
   * Sends a request and waits until the upstream accepts it.
   *
   * @return a response with status 200, which the caller closes
   * @throws UpstreamException when the upstream refuses
   * @throws IOException when no response comes
   */
  public Transport.Response send(UpstreamRequest request, Cancellation cancellation)
      throws IOException, UpstreamException {
    Transport.Response response =
        transport.send(
            new Transport.Request(
                Transport.Method.POST,
                request.uri(),
                headers(request),
                request.contentType(),
                request.body(),
                settings.connectTimeout(),
                request.readTimeout(),
                new PoolKey(settings.slug(), request.credential()),
                cancellation));
    if (response.status() == OK) {
      return response;
    }
    try (response) {
      throw new UpstreamException(refusal(response, request.credential(), cancellation));
    }
  }

  private Map<String, String> headers(UpstreamRequest request) {
    Map<String, String> headers =
        settings.headers().isEmpty() ? new LinkedHashMap<>() : caseInsensitive(settings.headers());
    headers.putAll(request.headers()); // replaces what an operator set
    headers.put("Accept", request.accept());
    if (request.traceparent() != null) {
      headers.put(TRACEPARENT, request.traceparent());
    }
    return headers;
  }

  private static Map<String, String> caseInsensitive(Map<String, String> headers) {
    var copy = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    copy.putAll(headers);
    return copy;
  }

  private Failure refusal(
      Transport.Response response, Credential credential, Cancellation cancellation) {
    byte[] body = BoundedBodyReader.readBeginning(response, MAX_REFUSAL_BYTES);
    Cancellation.Cause cause = cancellation.cause();
    // a timeout is ignored here: the status came in time, only the body is late
    if (cause != null && !cause.isTimeout()) {
      return TransportErrorClassifier.cancelled(cause);
    }
    return UpstreamErrorClassifier.failure(
        response.status(), retryAfter(response), error(body), credential);
  }

  private ErrorBody error(byte[] body) {
    try {
      ErrorBody error = ErrorBody.of(settings.codec().parse(body));
      return error == null ? ErrorBody.NONE : error;
    } catch (JsonCodec.MalformedJsonException notJson) {
      return ErrorBody.NONE; // a proxy's error page says nothing about the request
    }
  }

  private long retryAfter(Transport.Response response) {
    return RetryAfter.seconds(response, settings.ambient());
  }

  /**
   * Reads a document that is a JSON object.
   *
   * @param memory the memory for the bytes and values of the document
   * @throws UpstreamException when the document is not a JSON object
   * @throws IOException when there is too little memory for the document, or reading fails
   */
  public Json.Obj readDocument(Transport.Response response, AnswerMemory.Share memory)
      throws IOException, UpstreamException {
    byte[] body = BoundedBodyReader.readAll(response, memory);
    try {
      Json document = settings.codec().parse(body);
      if (document instanceof Json.Obj object) {
        return object;
      }
      throw TransportErrorClassifier.protocolException(
          "the upstream sent an answer of type " + document.kind() + " instead of an object");
    } catch (JsonCodec.MalformedJsonException malformed) {
      throw TransportErrorClassifier.protocolException(
          "the upstream sent an answer that is not JSON: " + malformed.getMessage());
    }
  }

  /**
   * Rejects a document with status 200 that reports an error.
   *
   * @param error the error it reports; null when there is none
   * @throws UpstreamException when there is an error
   */
  public void throwIfError(
      @Nullable ErrorBody error, Transport.Response response, Credential credential)
      throws UpstreamException {
    if (error != null) {
      throw new UpstreamException(
          UpstreamErrorClassifier.failureInAnswer(retryAfter(response), error, credential));
    }
  }

  /**
   * Returns the failure for an upstream request that ended in an exception.
   *
   * @throws io.strowger.spi.error.GatewayException when the gateway itself lacks resources
   */
  public UpstreamException toUpstreamException(IOException exception, Cancellation cancellation) {
    if (exception instanceof Transport.NoFreeConnectionException) {
      throw ResourceExhausted.CONNECTIONS.error().toException();
    }
    if (exception instanceof AnswerMemory.NoMemoryLeftException) {
      throw ResourceExhausted.MEMORY.error().toException();
    }
    return new UpstreamException(TransportErrorClassifier.of(exception, cancellation), exception);
  }

  /**
   * Separates connections by provider and credential. Should an upstream mix up its responses, they
   * can only reach calls with the same credential.
   */
  private record PoolKey(String provider, Credential credential) {}
}
