package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.OpenCalls;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EmbeddingsCall;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UpstreamException;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A client for requests that one upstream answers with one document each. Safe on any thread;
 * closing this client cancels running requests.
 */
public final class UnaryUpstreamClient implements AutoCloseable {
  /** The media type accepted as an answer. */
  private static final String JSON = "application/json";

  private static final String USER = "user";

  private final HttpUpstream upstream;
  private final URI uri;
  private final AnswerMemory memory;
  private final OpenCalls calls = new OpenCalls();

  /** Converts a document to an answer. */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * Returns the answer; null when the document is not an answer.
     *
     * @param release frees the memory of the document; run once the answer is no longer needed
     */
    @Nullable T read(Json.Obj document, Runnable release) throws UpstreamException;
  }

  /**
   * @param transport the transport, which its owner closes after this client
   * @param memory the memory for answers, shared with other adapters
   * @param path the path below the upstream's base
   */
  public UnaryUpstreamClient(
      Transport transport, ProviderSettings settings, AnswerMemory memory, String path) {
    this.upstream = new HttpUpstream(transport, settings);
    this.uri = UpstreamCodec.resolve(settings.baseUri(), path);
    this.memory = memory;
  }

  /** Sends a body of JSON as {@link #send(UnaryCall, String, JsonOutput, Reader)} does. */
  public <T> T send(UnaryCall call, JsonOutput body, Reader<T> reader) throws UpstreamException {
    return send(call, Transport.Request.JSON, body, reader);
  }

  /**
   * Sends a request and waits for its document.
   *
   * @throws UpstreamException when the request is refused, or when the document reports an error or
   *     is not an answer
   * @throws io.strowger.spi.error.GatewayException when the gateway itself has too little memory or
   *     too few connections
   */
  public <T> T send(UnaryCall call, String contentType, JsonOutput body, Reader<T> reader)
      throws UpstreamException {
    return send(
        new HttpUpstream.UpstreamRequest(
            uri,
            JSON,
            UpstreamCodec.bearerHeader(call.credential()),
            contentType,
            body,
            call.credential(),
            call.readTimeout(),
            call.traceparent()),
        call.cancellation(),
        reader);
  }

  /** Sends a body of JSON as {@link #send(UnaryCall, String, JsonOutput, Reader)} does. */
  public <T> T send(EmbeddingsCall call, JsonOutput body, Reader<T> reader)
      throws UpstreamException {
    return send(
        new HttpUpstream.UpstreamRequest(
            uri,
            JSON,
            UpstreamCodec.bearerHeader(call.credential()),
            body,
            call.credential(),
            call.readTimeout(),
            call.traceparent()),
        call.cancellation(),
        reader);
  }

  private <T> T send(
      HttpUpstream.UpstreamRequest request, Cancellation cancellation, Reader<T> reader)
      throws UpstreamException {
    Cancellation.Child exchange = calls.begin(cancellation);
    AnswerMemory.Share share = memory.begin();
    T answer = null;
    try (Transport.Response response = upstream.send(request, exchange.cancellation())) {
      Json.Obj document = upstream.readDocument(response, share);
      answer = reader.read(document, share::close);
      if (answer == null) {
        upstream.throwIfError(ErrorBody.of(document), response, request.credential());
        throw TransportErrorClassifier.protocolException(
            "the upstream sent a document that is not an answer");
      }
      return answer;
    } catch (IOException exception) {
      throw upstream.toUpstreamException(exception, exchange.cancellation());
    } finally {
      if (answer == null) {
        share.close();
      }
      calls.end(exchange);
    }
  }

  /**
   * Returns the body with its end user replaced by the hash, or removed if the hash is null; a body
   * without an end user is returned unchanged.
   */
  public static Json.Obj withUser(Json.Obj body, @Nullable String hash) {
    if (!body.has(USER)) {
      return body;
    }
    return hash == null ? body.without(USER) : body.with(USER, Json.of(hash));
  }

  @Override
  public void close() {
    calls.close();
  }
}
