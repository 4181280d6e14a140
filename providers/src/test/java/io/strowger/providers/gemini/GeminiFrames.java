package io.strowger.providers.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.upstream.UpstreamStream;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.Transport;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Frames of the gemini dialect, the events read from them, and short descriptions of events. */
final class GeminiFrames {
  private GeminiFrames() {}

  /** Returns a frame of one candidate with these parts, followed by more of its members. */
  static String frame(String parts, String more) {
    return "{'candidates':[{'content':{'parts':["
        + parts
        + "],'role':'model'}"
        + more
        + "}],'responseId':'r1'}";
  }

  static String text(String text) {
    return frame("{'text':'" + text + "'}", "");
  }

  /** Returns a frame with nothing but a finish reason. */
  static String finish(String reason) {
    return "{'candidates':[{'finishReason':'" + reason + "','index':0}],'responseId':'r1'}";
  }

  static byte[] sse(String... frames) {
    var body = new StringBuilder();
    for (String frame : frames) {
      body.append("data: ").append(frame.replace('\'', '"')).append("\r\n\r\n");
    }
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }

  static List<Event> read(String... frames) {
    return read(sse(frames), Integer.MAX_VALUE);
  }

  /**
   * Returns the events of a body that arrives in two reads.
   *
   * @param split the index at which the second read begins
   */
  static List<Event> read(byte[] body, int split) {
    var parts = new GeminiPartReader(new SafeNames(), "m0");
    var stream =
        new UpstreamStream(
            new SplitResponse(body, split),
            GeminiTestRequest.CODEC,
            new GeminiEventReader(parts, new Credential("key-1"), GeminiTestRequest.CODEC),
            new Cancellation(),
            AnswerMemory.ofHeap(),
            () -> {});
    var events = new ArrayList<Event>();
    for (Event event = stream.next(); event != null; event = stream.next()) {
      events.add(event);
    }
    assertThat(events).filteredOn(Event::isTerminal).hasSize(1);
    assertThat(events.getLast().isTerminal()).isTrue();
    return events;
  }

  /** Returns a short description of each event. */
  static List<String> describe(List<Event> events) {
    return events.stream().map(GeminiFrames::describe).toList();
  }

  static String describe(Event event) {
    return switch (event) {
      case Event.Started e -> "started";
      case Event.TextDelta e -> "text " + e.text().text();
      case Event.ReasoningDelta e -> "thought " + e.text().text();
      case Event.ReasoningSignature e -> "signature " + e.signature().text() + " " + e.format();
      case Event.EncryptedReasoning e ->
          "encrypted " + e.data().text() + " " + e.format() + " " + e.id();
      case Event.ToolCallDelta e ->
          "call " + e.index() + " " + e.id() + " " + e.name() + " " + e.arguments().text();
      case Event.Annotation e -> "citation " + GeminiTestRequest.text(e.body());
      case Event.Logprobs e -> "logprobs " + GeminiTestRequest.text(e.content());
      case Event.UsageReport e -> "usage " + e.usage();
      case Event.Finished e -> "finished " + e.reason() + " " + e.nativeReason();
      case Event.Failed e -> "failed " + e.kind();
      case Event.OtherContent e -> "unmodelled " + GeminiTestRequest.text(e.frame());
      case Event.CompleteAnswer e -> "complete";
      case Event.BlockStart e -> "block";
      case Event.BlockStop e -> "block end";
      case Event.RefusalDelta e -> "refusal";
      case Event.ServerToolRun e -> "tool run";
      case Event.UpstreamBodyEcho e -> "debug";
      case Event.AudioDelta e -> e.toString();
    };
  }

  /** Returns a short description of a part, as for the event of the same content. */
  static String describe(Part part) {
    return switch (part) {
      case Part.Text p -> "text " + p.text().text();
      case Part.Thinking p -> thinking(p);
      case Part.ToolCall p -> "call " + p.id() + " " + p.name() + " " + p.arguments().text();
      case Part.Citation p -> "citation " + GeminiTestRequest.text(p.body());
      case Part.Logprobs p -> "logprobs " + GeminiTestRequest.text(p.content());
      case Part.Image p -> "image " + p.media().asUrl().text();
      case Part.Audio p -> "audio " + p.format() + " " + p.data().text();
      case Part.Unknown p -> "unknown " + p.type();
      case Part.Video p -> "video";
      case Part.File p -> "file";
      case Part.ToolResult p -> "result";
      case Part.Refusal p -> "refusal";
      case Part.ServerToolRun p -> "tool run";
    };
  }

  private static String thinking(Part.Thinking thinking) {
    String signature =
        thinking.signature() == null ? "" : " signature " + thinking.signature().text();
    return thinking.kind()
        + " "
        + thinking.text().text()
        + signature
        + " "
        + thinking.format()
        + " "
        + thinking.id();
  }

  /** A response whose body arrives in two reads. */
  private static final class SplitResponse implements Transport.Response {
    private final byte[] body;
    private final int split;

    SplitResponse(byte[] body, int split) {
      this.body = body;
      this.split = split;
    }

    @Override
    public int status() {
      return 200;
    }

    @Override
    public @Nullable String header(String name) {
      return null;
    }

    @Override
    public InputStream body() {
      var all = new ByteArrayInputStream(body);
      return new InputStream() {
        private int position;

        @Override
        public int read() {
          position++;
          return all.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) {
          int limit = position < split ? Math.min(length, split - position) : length;
          int read = all.read(into, offset, limit);
          position += Math.max(0, read);
          return read;
        }
      };
    }

    @Override
    public void close() {}
  }
}
