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

/** Reads streams that are given as frames, and tells events in a few words each. */
final class Frames {
  private Frames() {}

  /** A frame of one candidate with these parts, and more of the candidate behind them. */
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

  /** With nothing in it but why the answer ended. */
  static String finish(String word) {
    return "{'candidates':[{'finishReason':'" + word + "','index':0}],'responseId':'r1'}";
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
   * @param split where the second read begins
   */
  static List<Event> read(byte[] body, int split) {
    var parts = new GeminiPartReader(new SafeNames(), "m0");
    var stream =
        new UpstreamStream(
            new Arriving(body, split),
            Bodies.CODEC,
            new GeminiEventReader(parts, new Credential("key-1"), Bodies.CODEC),
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

  /** The events, a few words each; texts as they came. */
  static List<String> told(List<Event> events) {
    return events.stream().map(Frames::told).toList();
  }

  static String told(Event event) {
    return switch (event) {
      case Event.Started e -> "started";
      case Event.TextDelta e -> "text " + e.text().text();
      case Event.ReasoningDelta e -> "thought " + e.text().text();
      case Event.ReasoningSignature e -> "signed " + e.signature().text() + " " + e.format();
      case Event.EncryptedReasoning e ->
          "encrypted " + e.data().text() + " " + e.format() + " " + e.id();
      case Event.ToolCallDelta e ->
          "call " + e.index() + " " + e.id() + " " + e.name() + " " + e.arguments().text();
      case Event.Annotation e -> "cites " + Bodies.text(e.body());
      case Event.Logprobs e -> "likely " + Bodies.text(e.content());
      case Event.UsageReport e -> "usage " + e.usage();
      case Event.Finished e -> "finished " + e.reason() + " " + e.nativeReason();
      case Event.Failed e -> "failed " + e.kind();
      case Event.OtherContent e -> "opaque " + Bodies.text(e.frame());
      case Event.CompleteAnswer e -> "whole";
      case Event.BlockStart e -> "block";
      case Event.BlockStop e -> "block end";
      case Event.RefusalDelta e -> "refusal";
      case Event.ServerToolRun e -> "tool run";
      case Event.UpstreamBodyEcho e -> "debug";
      case Event.AudioDelta e -> e.toString();
    };
  }

  /** A part of an answer in the same words. */
  static String told(Part part) {
    return switch (part) {
      case Part.Text p -> "text " + p.text().text();
      case Part.Thinking p -> thinking(p);
      case Part.ToolCall p -> "call " + p.id() + " " + p.name() + " " + p.arguments().text();
      case Part.Citation p -> "cites " + Bodies.text(p.body());
      case Part.Logprobs p -> "likely " + Bodies.text(p.content());
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
    String signature = thinking.signature() == null ? "" : " signed " + thinking.signature().text();
    return thinking.kind()
        + " "
        + thinking.text().text()
        + signature
        + " "
        + thinking.format()
        + " "
        + thinking.id();
  }

  /** A body that comes in two reads. */
  private static final class Arriving implements Transport.Response {
    private final byte[] body;
    private final int split;

    Arriving(byte[] body, int split) {
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
        private int given;

        @Override
        public int read() {
          given++;
          return all.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) {
          int most = given < split ? Math.min(length, split - given) : length;
          int read = all.read(into, offset, most);
          given += Math.max(0, read);
          return read;
        }
      };
    }

    @Override
    public void close() {}
  }
}
