package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.OpenCalls;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one upstream that are answered with one document each. Safe on any thread; closing it
 * ends what is under way.
 */
public final class UnaryUpstreamClient implements AutoCloseable {
  /** What is accepted as an answer. */
  public static final String DOCUMENT = "application/json";

  private final HttpUpstream upstream;
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
   */
  public UnaryUpstreamClient(Transport transport, ProviderSettings settings, AnswerMemory memory) {
    this.upstream = new HttpUpstream(transport, settings);
    this.memory = memory;
  }

  /**
   * Sends a request, and waits for its document.
   *
   * @throws UpstreamException when it is refused, reports an error, or is none that the reader
   *     knows
   * @throws io.strowger.spi.error.GatewayException that the gateway itself has too little memory or
   *     too few connections
   */
  public <T> T ask(HttpUpstream.Sent sent, Cancellation cancellation, Reader<T> reader)
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

  @Override
  public void close() {
    calls.close();
  }
}
