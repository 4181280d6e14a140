package io.strowger.providers.responses;

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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Frames of the responses dialect, and a stream over a transport with prepared answers. */
final class ResponsesStreams {
  static final String CREATED =
      frame("response.created", "'response':{'id':'r','status':'in_progress'}");

  static final String COMPLETED =
      frame(
          "response.completed",
          "'response':{'id':'r','status':'completed','usage':{'input_tokens':10,"
              + "'input_tokens_details':{'cached_tokens':3},'output_tokens':8,"
              + "'output_tokens_details':{'reasoning_tokens':2}}}");

  private final Cancellation cancellation = new Cancellation();
  private final boolean framed;

  /** Creates a stream that is read for a caller of another dialect. */
  ResponsesStreams() {
    this(false);
  }

  /**
   * Creates a stream.
   *
   * @param framed whether it is read for a caller of the responses dialect, who gets its frames
   */
  ResponsesStreams(boolean framed) {
    this.framed = framed;
  }

  static String frame(String type, String members) {
    return "{'type':'" + type + "','sequence_number':1," + members + "}";
  }

  static String item(String what, int index, String item) {
    return frame("response.output_item." + what, "'output_index':" + index + ",'item':" + item);
  }

  static String delta(String kind, int index, String text) {
    String members =
        "'output_index':%d,'content_index':0,'delta':'%s','logprobs':[]".formatted(index, text);
    return frame(kind + ".delta", members);
  }

  /** Returns the body of a stream; all its events have the same name, which the reader ignores. */
  static String sse(String... frames) {
    var body = new StringBuilder();
    for (String frame : frames) {
      body.append("event: x\ndata: ").append(frame.replace('\'', '"')).append("\n\n");
    }
    return body.toString();
  }

  List<Event> read(String... frames) throws IOException {
    return read(new CannedTransport(200, sse(frames)));
  }

  List<Event> read(CannedTransport transport) throws IOException {
    return read(response(transport));
  }

  /** Reads a stream whose body arrives in two reads, the second of which begins at this byte. */
  List<Event> readSplit(int split, String... frames) throws IOException {
    byte[] all = sse(frames).getBytes(StandardCharsets.UTF_8);
    InputStream body =
        new SequenceInputStream(
            new ByteArrayInputStream(all, 0, Math.min(split, all.length)),
            new ByteArrayInputStream(
                Arrays.copyOfRange(all, Math.min(split, all.length), all.length)));
    return read(new SplitResponse(response(new CannedTransport(200, "")), body));
  }

  private record SplitResponse(Transport.Response response, InputStream body)
      implements Transport.Response {
    @Override
    public int status() {
      return response.status();
    }

    @Override
    public @Nullable String header(String name) {
      return response.header(name);
    }

    @Override
    public void finish() {
      response.finish();
    }

    @Override
    public void close() {
      response.close();
    }
  }

  private Transport.Response response(CannedTransport transport) throws IOException {
    return transport.send(
        new Transport.Request(
            URI.create("http://a/"),
            Map.of(),
            new JsonOutput(0),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            cancellation));
  }

  private List<Event> read(Transport.Response response) {
    var events = new ArrayList<Event>();
    try (EventStream stream =
        new UpstreamStream(
            response,
            ResponsesFixtures.CODEC,
            new ResponsesEventReader(Credential.NONE, new SafeNames(), framed),
            cancellation,
            AnswerMemory.ofHeap(),
            () -> {})) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
      assertThat(stream.next()).isNull();
    }
    assertThat(events).filteredOn(Event::isTerminal).hasSize(1);
    assertThat(events.getLast().isTerminal()).isTrue();
    return events;
  }

  FailureKind failure(String... frames) throws IOException {
    return Objects.requireNonNull(((Event.Failed) read(frames).getLast()).kind());
  }

  static List<String> kinds(List<Event> events) {
    return events.stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  /** Returns the frame of an event in the responses dialect; null for an event without a frame. */
  static Json.@Nullable Obj frame(Event event) {
    return switch (event) {
      case Event.Started e -> e.frame();
      case Event.TextDelta e -> framed(e.text(), e.template());
      case Event.ReasoningDelta e -> framed(e.text(), e.template());
      case Event.ToolCallDelta e -> e.frame();
      case Event.Annotation e -> e.frame();
      case Event.OtherContent e -> e.frame();
      case Event.ReasoningSignature e -> e.frame();
      case Event.EncryptedReasoning e -> e.frame();
      case Event.RefusalDelta e -> e.frame();
      case Event.BlockStart e -> e.frame();
      case Event.BlockStop e -> e.frame();
      case Event.UsageReport e -> e.frame();
      case Event.Finished e -> e.frame();
      case Event.Logprobs e -> null;
      case Event.ServerToolRun e -> null;
      case Event.UpstreamBodyEcho e -> null;
      case Event.AudioDelta e -> null;
      case Event.CompleteAnswer e -> null;
      case Event.Failed e -> null;
    };
  }

  private static Json.@Nullable Obj framed(Json.Str text, @Nullable FrameTemplate template) {
    if (template == null) {
      return null;
    }
    var out = new JsonOutput(64);
    template.write(text, out);
    return ResponsesFixtures.parsed(new String(out.toByteArray(), StandardCharsets.UTF_8));
  }
}
