package io.strowger.plugins.fusion;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a conversation for a panel, in the chat dialect whatever the caller's dialect is. Tool
 * calls and results become text, since a panel has its own tools and none of the caller's. Has no
 * side effects.
 */
final class PanelPrompt {
  private final Dialect dialect;
  private final List<Message> messages = new ArrayList<>();

  private PanelPrompt(Dialect dialect) {
    this.dialect = dialect;
  }

  static List<Message> of(InferenceRequest request) {
    var prompt = new PanelPrompt(request.dialect());
    if (request.instructions() != null) {
      prompt.add(request.instructions());
    }
    request.messages().forEach(prompt::add);
    return prompt.messages;
  }

  private void add(Message message) {
    var parts = new ArrayList<Part>();
    for (Part part : message.parts()) {
      add(part, parts);
    }
    if (!parts.isEmpty()) {
      Message.Role role = message.role() == Message.Role.TOOL ? Message.Role.USER : message.role();
      boolean isText = parts.size() == 1 && parts.getFirst() instanceof Part.Text;
      messages.add(
          new Message(
              role,
              List.copyOf(parts),
              isText ? Message.ContentForm.STRING : Message.ContentForm.LIST,
              Json.Obj.EMPTY,
              null));
    }
  }

  private void add(Part part, List<Part> out) {
    switch (part) {
      case Part.Text p -> out.add(new Part.Text(p.text(), Json.Obj.EMPTY, null));
      case Part.Refusal p -> out.add(new Part.Text(p.text(), Json.Obj.EMPTY, null));
      case Part.Image p -> out.add(new Part.Image(p.media(), Json.Obj.EMPTY, null));
      case Part.Audio p -> out.add(new Part.Audio(p.data(), p.format(), Json.Obj.EMPTY, null));
      case Part.Video p -> out.add(new Part.Video(p.url(), Json.Obj.EMPTY, null));
      case Part.File p ->
          out.add(dialect == Dialect.CHAT ? p : new Part.Text("[a document is attached here]"));
      case Part.ToolCall p ->
          out.add(new Part.Text("[called " + p.name() + " with " + text(p.arguments()) + "]"));
      case Part.ServerToolRun p ->
          out.add(new Part.Text("[" + p.tool() + " gave: " + toText(p.result()) + "]"));
      case Part.ToolResult p -> {
        out.add(new Part.Text("[the call gave:]"));
        p.content().forEach(nested -> add(nested, out));
      }
      // reasoning is meant only for the vendor of the model that wrote it
      case Part.Thinking p -> {}
      case Part.Citation p -> {}
      case Part.Logprobs p -> {}
      case Part.Unknown p -> {}
    }
  }

  private static String text(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str text) -> text.text();
      case Arguments.Value(Json value) -> toText(value);
    };
  }

  private static String toText(Json value) {
    return value instanceof Json.Str text
        ? text.text()
        : new String(value.toBytes(), StandardCharsets.UTF_8);
  }
}
