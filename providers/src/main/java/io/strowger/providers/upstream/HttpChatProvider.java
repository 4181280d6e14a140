package io.strowger.providers.upstream;

import io.strowger.providers.http.OpenCalls;
import io.strowger.spi.error.Failure;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamFailure;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One upstream over HTTP, of whatever dialect its {@link Wire} speaks: sends, tells refusals apart,
 * reads one document or opens a stream.
 *
 * <p>Contract: translation fact sheet, sections 3 and 5. Contract test: {@code
 * OpenAiChatContractTest}.
 */
public final class HttpChatProvider implements ChatProvider {
  private static final int LARGEST_REFUSAL = 64 << 10;
  private static final int OK = 200;
  private static final String DOCUMENT = "application/json";

  private final Transport transport;
  private final ProviderSettings settings;
  private final Wire wire;
  private final AnswerMemory memory;
  private final OpenCalls calls = new OpenCalls();

  /**
   * @param transport stays its owner's, who closes it after this
   * @param memory for the answers of this adapter, and of all others it is shared with
   */
  public HttpChatProvider(
      Transport transport, ProviderSettings settings, Wire wire, AnswerMemory memory) {
    this.transport = transport;
    this.settings = settings;
    this.wire = wire;
    this.memory = memory;
  }

  @Override
  public EventStream open(Call call) throws UpstreamFailure {
    JsonOutput body = wire.body(call);
    Cancellation.Child exchange = calls.begin(call.cancellation());
    @Nullable EventStream opened = null;
    try {
      opened = exchange(call, body, exchange);
      return opened;
    } catch (Transport.NoConnectionFree full) {
      return EventStream.of(List.of(ResourceExhausted.CONNECTIONS));
    } catch (AnswerMemory.NoMemoryLeft full) {
      return EventStream.of(List.of(ResourceExhausted.MEMORY));
    } catch (IOException broken) {
      throw new UpstreamFailure(Faults.of(broken, exchange.cancellation()), broken);
    } finally {
      if (!(opened instanceof UpstreamStream)) {
        calls.end(exchange);
      }
    }
  }

  private EventStream exchange(Call call, JsonOutput body, Cancellation.Child exchange)
      throws IOException, UpstreamFailure {
    String accepted = call.request().streaming() ? "text/event-stream" : DOCUMENT;
    Transport.Response response = send(wire.uri(call), accepted, call, body, exchange);
    boolean streamed = false;
    try {
      if (response.status() != OK) {
        throw new UpstreamFailure(refusal(response, call.credential(), exchange.cancellation()));
      }
      streamed = call.request().streaming() && !isDocument(response);
      return streamed
          ? new UpstreamStream(
              response,
              settings.codec(),
              wire.events(call),
              exchange.cancellation(),
              memory,
              () -> calls.end(exchange))
          : whole(response, call);
    } finally {
      if (!streamed) {
        response.close();
      }
    }
  }

  private Transport.Response send(
      URI uri, String accepted, Call call, JsonOutput body, Cancellation.Child exchange)
      throws IOException {
    return transport.send(
        new Transport.Request(
            uri,
            headers(call, accepted),
            body,
            settings.connectTimeout(),
            call.longestSilence(),
            new PoolKey(settings.slug(), call.credential()),
            exchange.cancellation()));
  }

  private Map<String, String> headers(Call call, String accepted) {
    Map<String, String> headers =
        settings.headers().isEmpty() ? new LinkedHashMap<>() : ignoringCase(settings.headers());
    headers.putAll(wire.headers(call)); // in place of what an operator set
    headers.put("Accept", accepted);
    return headers;
  }

  private static Map<String, String> ignoringCase(Map<String, String> headers) {
    var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(headers);
    return all;
  }

  @Override
  public OptionalLong countTokens(Call call) throws UpstreamFailure {
    Counting counting = wire.counting();
    if (counting == null) {
      return OptionalLong.empty();
    }
    JsonOutput body = counting.body(call);
    Cancellation.Child exchange = calls.begin(call.cancellation());
    try (Transport.Response response = send(counting.uri(call), DOCUMENT, call, body, exchange)) {
      if (response.status() != OK) {
        throw new UpstreamFailure(refusal(response, call.credential(), exchange.cancellation()));
      }
      return OptionalLong.of(count(response, call, counting));
    } catch (IOException broken) {
      throw new UpstreamFailure(Faults.of(broken, exchange.cancellation()), broken);
    } finally {
      calls.end(exchange);
    }
  }

  private long count(Transport.Response response, Call call, Counting counting)
      throws IOException, UpstreamFailure {
    try (AnswerMemory.Share share = memory.begin()) {
      if (!(parse(BoundedBody.whole(response, share)) instanceof Json.Obj document)) {
        throw protocol("a count that is no object");
      }
      refuseError(document, response, call.credential());
      return counting.tokens(document);
    }
  }

  private static boolean isDocument(Transport.Response response) {
    String type = response.header("content-type");
    return type != null && type.toLowerCase(Locale.ROOT).contains("json");
  }

  private Failure refusal(
      Transport.Response response, Credential credential, Cancellation cancellation) {
    byte[] body = BoundedBody.beginning(response, LARGEST_REFUSAL);
    Cancellation.Cause cause = cancellation.cause();
    if (cause != null && !cause.isTimeout()) {
      return Faults.cancelled(cause); // what came too late is the body; the status came in time
    }
    long wait = RetryAfter.seconds(response, settings.ambient());
    return Refusals.failure(response.status(), wait, error(body), credential);
  }

  private ErrorBody error(byte[] body) {
    try {
      ErrorBody error = ErrorBody.of(settings.codec().parse(body));
      return error == null ? ErrorBody.NONE : error;
    } catch (JsonCodec.MalformedJson page) {
      return ErrorBody.NONE; // a proxy's page says nothing about the request
    }
  }

  /** An answer that is one document. */
  private EventStream whole(Transport.Response response, Call call)
      throws IOException, UpstreamFailure {
    AnswerMemory.Share share = memory.begin();
    @Nullable EventStream answer = null;
    try {
      answer = new KeptAnswer(events(BoundedBody.whole(response, share), response, call), share);
      return answer;
    } finally {
      if (answer == null) {
        share.close();
      }
    }
  }

  private List<Event> events(byte[] body, Transport.Response response, Call call)
      throws UpstreamFailure {
    Json document = parse(body);
    if (!(document instanceof Json.Obj whole)) {
      throw protocol("an answer that is no object, but " + document.kind());
    }
    refuseError(whole, response, call.credential());
    Answer answer = wire.answer(whole, call);
    if (call.request().streaming()) {
      throw protocol("one document where a stream was asked for");
    }
    var events = new ArrayList<Event>();
    if (answer.usage() != null) {
      events.add(new Event.UsageReport(answer.usage(), null));
    }
    events.add(new Event.Whole(answer));
    return events;
  }

  private Json parse(byte[] body) throws UpstreamFailure {
    try {
      return settings.codec().parse(body);
    } catch (JsonCodec.MalformedJson malformed) {
      throw protocol("an answer that is no JSON: " + malformed.getMessage());
    }
  }

  /** Some upstreams report errors with status 200. */
  private void refuseError(Json.Obj document, Transport.Response response, Credential credential)
      throws UpstreamFailure {
    ErrorBody error = wire.error(document);
    if (error != null) {
      long wait = RetryAfter.seconds(response, settings.ambient());
      throw new UpstreamFailure(Refusals.reported(wait, error, credential));
    }
  }

  /** Events that are there already, and hold memory until whoever has them is done with them. */
  private static final class KeptAnswer implements EventStream {
    private final EventStream events;
    private final AnswerMemory.Share memory;

    KeptAnswer(List<Event> events, AnswerMemory.Share memory) {
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

  /**
   * Whose connections a call may use: those of its provider and its credential. Should an upstream
   * lose step all the same, it answers somebody whom it would have answered anyway.
   */
  private record PoolKey(String provider, Credential credential) {}

  private static UpstreamFailure protocol(String message) {
    return new UpstreamFailure(Faults.protocol(message));
  }

  @Override
  public Json body(Call call) {
    try {
      return settings.codec().parse(wire.body(call).toByteArray());
    } catch (UpstreamFailure unsayable) {
      return Json.NULL; // open() would send nothing
    } catch (JsonCodec.MalformedJson impossible) {
      throw new IllegalStateException("wrote a body that cannot be read", impossible);
    }
  }

  @Override
  public void close() {
    calls.close();
  }

  @Override
  public String toString() {
    return wire.protocol() + ", " + settings;
  }
}
