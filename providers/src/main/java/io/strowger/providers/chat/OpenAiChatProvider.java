package io.strowger.providers.chat;

import io.strowger.providers.http.OpenCalls;
import io.strowger.spi.error.Failure;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
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
import org.jspecify.annotations.Nullable;

/**
 * One upstream of the openai-chat dialect. Sends requests that came in the same dialect; others are
 * refused, since translating them is not this adapter's work.
 *
 * <p>Contract: translation fact sheet, sections 2, 3, 5 and 8. Contract test: {@code
 * OpenAiChatContractTest}.
 */
final class OpenAiChatProvider implements ChatProvider {
  /** Answers with images in base64 are large. */
  private static final int LARGEST_ANSWER = 64 << 20;

  private static final int LARGEST_REFUSAL = 64 << 10;
  private static final int OK = 200;

  private final Transport transport;
  private final ProviderSettings settings;
  private final URI uri;
  private final OpenCalls calls = new OpenCalls();

  OpenAiChatProvider(Transport transport, ProviderSettings settings) {
    this.transport = transport;
    this.settings = settings;
    String base = settings.baseUri().toString();
    this.uri = URI.create(base + (base.endsWith("/") ? "" : "/") + "chat/completions");
  }

  @Override
  public EventStream open(Call call) throws UpstreamFailure {
    if (call.request().dialect() != Dialect.CHAT) {
      throw new UpstreamFailure(
          Faults.protocol("this adapter cannot translate from " + call.request().dialect()));
    }
    JsonOutput body = ChatBody.of(call);
    Cancellation.Child exchange = calls.begin(call.cancellation());
    @Nullable EventStream opened = null;
    try {
      opened = exchange(call, body, exchange);
      return opened;
    } catch (IOException broken) {
      throw new UpstreamFailure(Faults.of(broken, exchange.cancellation()), broken);
    } finally {
      if (!(opened instanceof ChatStream)) {
        calls.end(exchange);
      }
    }
  }

  private EventStream exchange(Call call, JsonOutput body, Cancellation.Child exchange)
      throws IOException, UpstreamFailure {
    Transport.Response response =
        transport.send(
            new Transport.Request(
                uri,
                headers(call),
                body,
                settings.connectTimeout(),
                call.longestSilence(),
                exchange.cancellation()));
    boolean streamed = false;
    try {
      if (response.status() != OK) {
        throw new UpstreamFailure(refusal(response, call.credential(), exchange.cancellation()));
      }
      streamed = call.request().streaming() && !isDocument(response);
      return streamed
          ? new ChatStream(
              response,
              settings.codec(),
              call.credential(),
              exchange.cancellation(),
              () -> calls.end(exchange))
          : EventStream.of(whole(response, call));
    } finally {
      if (!streamed) {
        response.close();
      }
    }
  }

  private Map<String, String> headers(Call call) {
    var headers = new LinkedHashMap<>(settings.headers());
    if (!call.credential().isEmpty()) {
      headers.put("Authorization", "Bearer " + call.credential().reveal());
    }
    headers.put("Accept", call.request().streaming() ? "text/event-stream" : "application/json");
    return headers;
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

  /** The events of an answer that is one document. */
  private List<Event> whole(Transport.Response response, Call call)
      throws IOException, UpstreamFailure {
    byte[] body = BoundedBody.whole(response, LARGEST_ANSWER);
    if (body == null) {
      throw protocol("an answer of more than " + LARGEST_ANSWER + " bytes");
    }
    Json document = parse(body);
    if (!(document instanceof Json.Obj completion)) {
      throw protocol("an answer that is no object, but " + document.kind());
    }
    refuseError(completion, response, call.credential());
    Answer answer = ChatAnswer.of(completion);
    if (answer == null) {
      throw protocol("an answer without choices");
    }
    if (call.request().streaming()) {
      throw protocol("one document where a stream was asked for");
    }
    if (answer.stopReason() == StopReason.ERROR) {
      throw new UpstreamFailure(inChoice(completion, call.credential()));
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
    if (document.get("error") instanceof Json.Null
        || document.has("choices") && !document.has("error")) {
      return;
    }
    ErrorBody error = ErrorBody.of(document);
    if (error != null) {
      long wait = RetryAfter.seconds(response, settings.ambient());
      throw new UpstreamFailure(Refusals.failure(error.status(), wait, error, credential));
    }
  }

  /** The answer broke off: the choice says why. */
  private static Failure inChoice(Json.Obj completion, Credential credential) {
    Json.Arr choices = completion.list("choices");
    ErrorBody error = choices == null ? null : ErrorBody.of(choices.get(0));
    ErrorBody told = error == null ? ErrorBody.NONE : error;
    return Refusals.failure(told.status(), RetryAfter.NOT_SAID, told, credential);
  }

  private static UpstreamFailure protocol(String message) {
    return new UpstreamFailure(Faults.protocol(message));
  }

  @Override
  public Json body(Call call) {
    if (call.request().dialect() != Dialect.CHAT) {
      return Json.NULL; // open() would send nothing
    }
    try {
      return settings.codec().parse(ChatBody.of(call).toByteArray());
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
    return "openai-chat, " + settings;
  }
}
