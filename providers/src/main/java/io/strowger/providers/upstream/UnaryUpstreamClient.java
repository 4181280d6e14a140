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
 * Requests to one upstream that are answered with one document each. Safe on any thread; closing it
 * ends what is under way.
 */
public final class UnaryUpstreamClient implements AutoCloseable {
  /** What is accepted as an answer. */
  private static final String DOCUMENT = "application/json";

  private static final String USER = "user";

  private final HttpUpstream upstream;
  private final URI uri;
  private final AnswerMemory memory;
  private final OpenCalls calls = new OpenCalls();

  /** Makes an answer of a document; null when it is none. */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * @param whenDone frees the memory of the document, once nobody needs it
     */
    @Nullable T read(Json.Obj document, Runnable whenDone) throws UpstreamException;
  }

  /**
   * @param transport stays its owner's, who closes it after this
   * @param memory for the answers, and for all others it is shared with
   * @param path below the upstream's base
   */
  public UnaryUpstreamClient(
      Transport transport, ProviderSettings settings, AnswerMemory memory, String path) {
    this.upstream = new HttpUpstream(transport, settings);
    this.uri = UpstreamCodec.resolve(settings.baseUri(), path);
    this.memory = memory;
  }

  /** Sends a body of JSON as {@link #ask(UnaryCall, String, JsonOutput, Reader)} does. */
  public <T> T ask(UnaryCall call, JsonOutput body, Reader<T> reader) throws UpstreamException {
    return ask(call, Transport.Request.JSON, body, reader);
  }

  /**
   * Sends a request, and waits for its document.
   *
   * @throws UpstreamException when it is refused, reports an error, or is none that the reader
   *     knows
   * @throws io.strowger.spi.error.GatewayException that the gateway itself has too little memory or
   *     too few connections
   */
  public <T> T ask(UnaryCall call, String contentType, JsonOutput body, Reader<T> reader)
      throws UpstreamException {
    return ask(
        new HttpUpstream.Sent(
            uri,
            DOCUMENT,
            UpstreamCodec.bearer(call.credential()),
            contentType,
            body,
            call.credential(),
            call.longestSilence(),
            call.traceparent()),
        call.cancellation(),
        reader);
  }

  /** Sends a body of JSON as {@link #ask(UnaryCall, String, JsonOutput, Reader)} does. */
  public <T> T ask(EmbeddingsCall call, JsonOutput body, Reader<T> reader)
      throws UpstreamException {
    return ask(
        new HttpUpstream.Sent(
            uri,
            DOCUMENT,
            UpstreamCodec.bearer(call.credential()),
            body,
            call.credential(),
            call.longestSilence(),
            call.traceparent()),
        call.cancellation(),
        reader);
  }

  private <T> T ask(HttpUpstream.Sent sent, Cancellation cancellation, Reader<T> reader)
      throws UpstreamException {
    Cancellation.Child exchange = calls.begin(cancellation);
    AnswerMemory.Share share = memory.begin();
    T answer = null;
    try (Transport.Response response = upstream.accepted(sent, exchange.cancellation())) {
      Json.Obj document = upstream.document(response, share);
      answer = reader.read(document, share::close);
      if (answer == null) {
        upstream.refuse(ErrorBody.of(document), response, sent.credential());
        throw new UpstreamException(
            TransportErrorClassifier.protocol("a document that is no answer"));
      }
      return answer;
    } catch (IOException broken) {
      throw upstream.failed(broken, exchange.cancellation());
    } finally {
      if (answer == null) {
        share.close();
      }
      calls.end(exchange);
    }
  }

  /** Names the end user by this hash where the caller named one; not at all when it is null. */
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
