package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import org.jspecify.annotations.Nullable;

/** Writes the parts of an unstreamed answer to an output. Confined to one thread. */
final class AnswerPartWriter {
  private static final Json.Arr NO_LOGPROBS = Json.array();

  private final ResponseOutput output;
  private final WholeItemStreamer itemStreamer;
  private int calls;
  // the last item written, which may be the source of several parts
  private @Nullable Json lastStreamed;

  AnswerPartWriter(ResponseOutput output, OutputListener listener) {
    this.output = output;
    this.itemStreamer = new WholeItemStreamer(output, listener);
  }

  void write(Answer answer) {
    Json.Obj source = answer.dialect() == Dialect.RESPONSES ? answer.source() : null;
    Json.Arr items = source == null ? null : source.list("output");
    if (items != null) {
      for (int i = 0; i < items.size(); i++) {
        if (items.get(i) instanceof Json.Obj item) {
          itemStreamer.stream(item);
        }
      }
      return;
    }
    for (Part part : answer.parts()) {
      Json.Obj item = answer.dialect() == Dialect.RESPONSES ? item(part) : null;
      if (item == null) {
        write(part);
      } else if (item != lastStreamed) {
        itemStreamer.stream(item);
        lastStreamed = item;
      }
    }
  }

  /** Returns the upstream's whole item that a part was read from; null when there is none. */
  private static Json.@Nullable Obj item(Part part) {
    Json.Obj source = part.source() instanceof Json.Obj object ? object : null;
    String type = source == null ? null : source.text("type");
    return switch (part) {
      case Part.ToolCall call -> "function_call".equals(type) ? source : null;
      case Part.Thinking thinking -> "reasoning".equals(type) ? source : null;
      case Part.Unknown unknown ->
          source != null && type != null && source.has("id") ? source : null;
      case Part.ServerToolRun run -> type != null && type.startsWith("router:") ? source : null;
      case Part.Text p -> null;
      case Part.Image p -> null;
      case Part.Audio p -> null;
      case Part.Video p -> null;
      case Part.File p -> null;
      case Part.ToolResult p -> null;
      case Part.Refusal p -> null;
      case Part.Citation p -> null;
      case Part.Logprobs p -> null;
    };
  }

  private void write(Part part) {
    switch (part) {
      case Part.Text text -> output.addText(text.text(), NO_LOGPROBS);
      case Part.Refusal refusal -> output.addRefusal(refusal.text());
      case Part.Citation citation -> output.addCitation(citation.body());
      case Part.Logprobs logprobs -> output.addLogprobs(logprobs.content());
      case Part.Thinking thinking -> writeThinking(thinking);
      case Part.ToolCall call ->
          output.addCall(calls++, call.id(), call.name(), call.arguments().asString());
      case Part.ServerToolRun run -> output.addToolRun(run);
      case Part.Image image -> output.addImage(image.media().asUrl());
      case Part.Audio p -> {}
      case Part.Video p -> {}
      case Part.File p -> {}
      case Part.ToolResult p -> {}
      case Part.Unknown p -> {}
    }
  }

  private void writeThinking(Part.Thinking thinking) {
    Json.Str text = thinking.text();
    String id = thinking.id();
    if (thinking.kind() == Part.Thinking.Kind.ENCRYPTED) {
      output.addEncrypted(text, thinking.format(), id);
      return;
    }
    output.beginBlock(Event.BlockStart.Kind.REASONING);
    output.addReasoning(text, thinking.kind() == Part.Thinking.Kind.SUMMARY, id);
    if (thinking.signature() != null) {
      output.addSignature(thinking.signature(), thinking.format(), id);
    }
  }
}
