package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.OpenCalls;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A chat upstream over HTTP, in the dialect of its {@link UpstreamCodec}. Sends requests,
 * classifies refusals, and reads a document or opens a stream.
 *
 * <p>Contract: translation fact sheet, sections 3 and 5. Contract test: {@code
 * OpenAiChatContractTest}.
 */
public final class HttpChatProvider implements ChatProvider {
  private static final String JSON = "application/json";

  private final HttpUpstream upstream;
  private final ProviderSettings settings;
  private final UpstreamCodec codec;
  private final AnswerMemory memory;
  private final OpenCalls calls = new OpenCalls();

  /**
   * @param transport the transport, which its owner closes after this adapter
   * @param memory the memory for answers, shared with other adapters
   */
  public HttpChatProvider(
      Transport transport, ProviderSettings settings, UpstreamCodec codec, AnswerMemory memory) {
    this.upstream = new HttpUpstream(transport, settings);
    this.settings = settings;
    this.codec = codec;
    this.memory = memory;
  }

  @Override
  public EventStream open(Call call) throws UpstreamException {
    JsonOutput body = codec.body(call);
    Cancellation.Child exchange = calls.begin(call.cancellation());
    @Nullable EventStream stream = null;
    try {
      stream = exchange(call, body, exchange);
      return stream;
    } catch (Transport.NoFreeConnectionException full) {
      return EventStream.of(List.of(ResourceExhausted.CONNECTIONS));
    } catch (AnswerMemory.NoMemoryLeftException full) {
      return EventStream.of(List.of(ResourceExhausted.MEMORY));
    } catch (IOException exception) {
      throw new UpstreamException(
          TransportErrorClassifier.of(exception, exchange.cancellation()), exception);
    } finally {
      if (!(stream instanceof UpstreamStream)) {
        calls.end(exchange);
      }
    }
  }

  private EventStream exchange(Call call, JsonOutput body, Cancellation.Child exchange)
      throws IOException, UpstreamException {
    String accept = call.request().streaming() ? "text/event-stream" : JSON;
    Transport.Response response = send(codec.uri(call), accept, call, body, exchange);
    boolean isStream = false;
    try {
      isStream = call.request().streaming() && !HttpUpstream.isJson(response);
      return isStream
          ? new UpstreamStream(
              response,
              settings.codec(),
              codec.events(call),
              exchange.cancellation(),
              memory,
              () -> calls.end(exchange))
          : readDocument(response, call);
    } finally {
      if (!isStream) {
        response.close();
      }
    }
  }

  private Transport.Response send(
      URI uri, String accept, Call call, JsonOutput body, Cancellation.Child exchange)
      throws IOException, UpstreamException {
    return upstream.send(
        new HttpUpstream.UpstreamRequest(
            uri,
            accept,
            codec.headers(call),
            body,
            call.credential(),
            call.readTimeout(),
            call.traceparent()),
        exchange.cancellation());
  }

  @Override
  public OptionalLong countTokens(Call call) throws UpstreamException {
    TokenCounting tokenCounting = codec.tokenCounting();
    if (tokenCounting == null) {
      return OptionalLong.empty();
    }
    JsonOutput body = tokenCounting.body(call);
    Cancellation.Child exchange = calls.begin(call.cancellation());
    try (Transport.Response response = send(tokenCounting.uri(call), JSON, call, body, exchange)) {
      return OptionalLong.of(count(response, call, tokenCounting));
    } catch (IOException exception) {
      throw new UpstreamException(
          TransportErrorClassifier.of(exception, exchange.cancellation()), exception);
    } finally {
      calls.end(exchange);
    }
  }

  private long count(Transport.Response response, Call call, TokenCounting tokenCounting)
      throws IOException, UpstreamException {
    try (AnswerMemory.Share share = memory.begin()) {
      Json.Obj document = upstream.readDocument(response, share);
      upstream.throwIfError(codec.error(document), response, call.credential());
      return tokenCounting.tokens(document);
    }
  }

  /** Reads an answer that is one document. */
  private EventStream readDocument(Transport.Response response, Call call)
      throws IOException, UpstreamException {
    AnswerMemory.Share share = memory.begin();
    @Nullable EventStream answer = null;
    try {
      answer =
          new BufferedAnswer(events(upstream.readDocument(response, share), response, call), share);
      return answer;
    } finally {
      if (answer == null) {
        share.close();
      }
    }
  }

  private List<Event> events(Json.Obj document, Transport.Response response, Call call)
      throws UpstreamException {
    upstream.throwIfError(codec.error(document), response, call.credential());
    Answer answer = codec.answer(document, call);
    if (call.request().streaming()) {
      throw TransportErrorClassifier.protocolException(
          "the upstream sent one document instead of a stream");
    }
    var events = new ArrayList<Event>();
    if (answer.usage() != null) {
      events.add(new Event.UsageReport(answer.usage(), null));
    }
    events.add(new Event.CompleteAnswer(answer));
    return events;
  }

  /** A complete answer, whose memory is held until it is closed. */
  private static final class BufferedAnswer implements EventStream {
    private final EventStream events;
    private final AnswerMemory.Share memory;

    BufferedAnswer(List<Event> events, AnswerMemory.Share memory) {
      this.events = EventStream.of(events);
      this.memory = memory;
    }

    @Override
    public @Nullable Event next() {
      return events.next();
    }

    @Override
    public boolean ready() {
      return true;
    }

    @Override
    public void close() {
      events.close();
      memory.close();
    }
  }

  @Override
  public Json body(Call call) {
    try {
      return settings.codec().parse(codec.body(call).toByteArray());
    } catch (UpstreamException unsupported) {
      return Json.NULL; // open() would send nothing either
    } catch (JsonCodec.MalformedJsonException impossible) {
      throw new IllegalStateException(
          "the adapter wrote a request body that is not JSON", impossible);
    }
  }

  @Override
  public void close() {
    calls.close();
  }

  @Override
  public String toString() {
    return codec.protocol() + ", " + settings;
  }
}
