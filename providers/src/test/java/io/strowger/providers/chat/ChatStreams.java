package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.upstream.CannedTransport;
import io.strowger.providers.upstream.UpstreamStream;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Frames of the chat dialect, and a stream over a transport with prepared answers. */
final class ChatStreams {
  static final String ENVELOPE = "'id':'c1','object':'chat.completion.chunk','model':'m'";
  static final String ROLE = chunk("'delta':{'role':'assistant','content':''}", "");
  static final String HELLO = text("Hello");
  static final String FINISH = chunk("'delta':{},'finish_reason':'stop'", "");
  static final String USAGE_JSON = "'usage':{'prompt_tokens':3,'completion_tokens':2}";
  static final String USAGE = "{" + ENVELOPE + ",'choices':[]," + USAGE_JSON + "}";
  static final String DONE = "[DONE]";

  private final Cancellation cancellation = new Cancellation();

  Cancellation cancellation() {
    return cancellation;
  }

  /** Returns a frame with one choice, followed by more members of the frame. */
  static String chunk(String choice, String more) {
    return "{" + ENVELOPE + ",'choices':[{'index':0," + choice + "}]" + more + "}";
  }

  static String text(String text) {
    return chunk("'delta':{'content':'" + text + "'},'finish_reason':null", "");
  }

  static CannedTransport sse(String... frames) {
    var body = new StringBuilder();
    for (String frame : frames) {
      body.append("data: ").append(frame.replace('\'', '"')).append("\n\n");
    }
    return new CannedTransport(200, body.toString());
  }

  UpstreamStream open(CannedTransport transport) throws IOException {
    Transport.Response response =
        transport.send(
            new Transport.Request(
                URI.create("http://a/"),
                Map.of(),
                new JsonOutput(0),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                cancellation));
    return new UpstreamStream(
        response,
        ChatFixtures.CODEC,
        new ChatEventReader(Credential.NONE, new SafeNames()),
        cancellation,
        AnswerMemory.ofHeap(),
        () -> {});
  }

  List<Event> read(CannedTransport transport) throws IOException {
    var events = new ArrayList<Event>();
    try (EventStream stream = open(transport)) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
      assertThat(stream.next()).isNull();
    }
    assertThat(events).filteredOn(Event::isTerminal).hasSize(1);
    assertThat(events.getLast().isTerminal()).isTrue();
    return events;
  }

  List<Event> read(String... frames) throws IOException {
    return read(sse(frames));
  }

  static List<String> kinds(List<Event> events) {
    return events.stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  FailureKind failure(CannedTransport transport) throws IOException {
    return Objects.requireNonNull(((Event.Failed) read(transport).getLast()).kind());
  }

  /** Returns the frame of an event in the chat dialect; null for an event without a frame. */
  static Json.@Nullable Obj frame(Event event) {
    return switch (event) {
      case Event.Started e -> e.frame();
      case Event.TextDelta e -> framed(e.text(), Objects.requireNonNull(e.template()));
      case Event.ReasoningDelta e -> framed(e.text(), Objects.requireNonNull(e.template()));
      case Event.ToolCallDelta e -> e.frame();
      case Event.Annotation e -> e.frame();
      case Event.OtherContent e -> e.frame();
      case Event.ReasoningSignature e -> e.frame();
      case Event.EncryptedReasoning e -> e.frame();
      case Event.RefusalDelta e -> e.frame();
      case Event.BlockStart e -> e.frame();
      case Event.BlockStop e -> e.frame();
      case Event.Logprobs e -> null;
      case Event.ServerToolRun e -> null;
      case Event.UsageReport e -> e.frame();
      case Event.Finished e -> e.frame();
      case Event.UpstreamBodyEcho e -> null;
      case Event.AudioDelta e -> null;
      case Event.CompleteAnswer e -> null;
      case Event.Failed e -> null;
    };
  }

  static Json.Obj framed(Json.Str text, FrameTemplate template) {
    var out = new JsonOutput(64);
    template.write(text, out);
    return ChatFixtures.parsed(new String(out.toByteArray(), StandardCharsets.UTF_8));
  }
}
