package io.strowger.conformance;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies requests, messages, parts and tools without the JSON they were read from, as if they had
 * been built in code.
 */
final class WithoutSource {
  private WithoutSource() {}

  static InferenceRequest of(InferenceRequest request) {
    return request.toBuilder()
        .instructions(ofNullable(request.instructions()))
        .messages(request.messages().stream().map(WithoutSource::of).toList())
        .tools(request.tools().stream().map(WithoutSource::of).toList())
        .build();
  }

  static @Nullable Message ofNullable(@Nullable Message message) {
    return message == null ? null : of(message);
  }

  static Message of(Message message) {
    return new Message(
        message.role(), of(message.parts()), message.contentForm(), message.extras(), null);
  }

  private static List<Part> of(List<Part> parts) {
    return parts.stream().map(WithoutSource::of).toList();
  }

  private static Part of(Part part) {
    return switch (part) {
      case Part.Text p -> new Part.Text(p.text(), p.extras(), null);
      case Part.Image p -> new Part.Image(p.media(), p.extras(), null);
      case Part.Audio p -> new Part.Audio(p.data(), p.format(), p.extras(), null);
      case Part.Video p -> new Part.Video(p.url(), p.extras(), null);
      case Part.File p -> new Part.File(p.file(), p.extras(), null);
      case Part.ToolCall p -> new Part.ToolCall(p.id(), p.name(), p.arguments(), p.extras(), null);
      case Part.ToolResult p ->
          new Part.ToolResult(p.callId(), of(p.content()), p.form(), p.isError(), p.extras(), null);
      case Part.Thinking p ->
          new Part.Thinking(
              p.kind(), p.text(), p.signature(), p.format(), p.id(), p.extras(), null);
      case Part.Refusal p -> new Part.Refusal(p.text(), null);
      case Part.Citation p -> new Part.Citation(p.body(), null);
      case Part.Logprobs p -> p;
      case Part.ServerToolRun p ->
          new Part.ServerToolRun(p.callId(), p.tool(), p.arguments(), p.result(), null);
      case Part.Unknown p -> p;
    };
  }

  /** A server tool keeps its JSON, which says more than its parameters. */
  private static Tool of(Tool tool) {
    return switch (tool) {
      case Tool.Function t ->
          new Tool.Function(t.name(), t.description(), t.parameters(), t.extras(), null);
      case Tool.Server t -> t;
      case Tool.Unknown t -> t;
    };
  }
}
