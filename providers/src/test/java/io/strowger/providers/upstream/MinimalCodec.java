package io.strowger.providers.upstream;

import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.http.AnswerMemory;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The codec of a minimal test dialect. An answer is an object with a member {@code ok}. In a
 * stream, a frame with {@code say} is text, one with {@code end} ends the stream, and any other has
 * no content.
 */
final class MinimalCodec implements UpstreamCodec {
  static final JsonCodec CODEC = new JacksonCodec();
  static final String SECRET = "sk-very-secret";
  static final TestAmbient AMBIENT = TestAmbient.at("2026-11-21T08:00:00Z");

  private static final ProviderSettings SETTINGS =
      new ProviderSettings(
          "alpha",
          URI.create("http://alpha.example/v1"),
          Map.of("X-Tenant", "t1", "x-key", "replaced"),
          Duration.ofSeconds(3),
          CODEC,
          AMBIENT);

  static Call call(boolean streaming, Cancellation until) {
    return new Call(
        Given.endpoint("alpha", "lab/model", "1"),
        new Credential(SECRET),
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY).streaming(streaming).build(),
        0,
        null,
        Duration.ofSeconds(9),
        until);
  }

  /** Returns all events of one call with ample memory for the answer. */
  static List<Event> read(CannedTransport transport, boolean streaming, Cancellation until)
      throws UpstreamException {
    return read(transport, streaming, until, new AnswerMemory(1 << 30, 1 << 29));
  }

  /** Returns all events of one call. */
  static List<Event> read(
      Transport transport, boolean streaming, Cancellation until, AnswerMemory memory)
      throws UpstreamException {
    var events = new ArrayList<Event>();
    try (var provider = new HttpChatProvider(transport, SETTINGS, new MinimalCodec(), memory);
        EventStream stream = provider.open(call(streaming, until))) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    }
    return events;
  }

  /** Opens the stream of one streaming call. */
  static EventStream open(Transport transport, AnswerMemory memory) throws UpstreamException {
    return new HttpChatProvider(transport, SETTINGS, new MinimalCodec(), memory)
        .open(call(true, new Cancellation()));
  }

  @Override
  public String protocol() {
    return "plain";
  }

  @Override
  public URI uri(Call call) {
    return URI.create("http://alpha.example/v1/" + call.endpoint().upstreamModel());
  }

  @Override
  public Map<String, String> headers(Call call) {
    return Map.of("X-Key", call.credential().reveal());
  }

  @Override
  public JsonOutput body(Call call) {
    var out = new JsonOutput(2);
    Json.Obj.EMPTY.writeTo(out);
    return out;
  }

  @Override
  public Answer answer(Json.Obj document, Call call) throws UpstreamException {
    if (!document.has("ok")) {
      throw new UpstreamException(TransportErrorClassifier.protocolError("no answer"));
    }
    return new Answer(List.of(), StopReason.END, null, null, Dialect.CHAT, document);
  }

  @Override
  public EventReader events(Call call) {
    return new MinimalEventReader(call.credential());
  }

  private static final class MinimalEventReader implements EventReader {
    private final Deque<Event> events = new ArrayDeque<>();
    private final Credential credential;
    private boolean finished;

    MinimalEventReader(Credential credential) {
      this.credential = credential;
    }

    @Override
    public void readFrame(Json document, byte[] bytes, String name) {
      var frame = (Json.Obj) document;
      String text = frame.text("say");
      if (name.equals("error")) {
        queueFailure(
            UpstreamErrorClassifier.failureInAnswer(ErrorBody.ofErrorDocument(frame), credential));
      } else if (text != null) {
        events.add(new Event.TextDelta(Json.of(text), null));
      } else if (frame.has("end")) {
        finished = true;
      } else {
        events.add(new Event.Started(frame));
      }
    }

    @Override
    public Deque<Event> queue() {
      return events;
    }

    @Override
    public boolean isFinished() {
      return finished;
    }

    @Override
    public Event finish() {
      return new Event.Finished(StopReason.END, null, null);
    }
  }
}
