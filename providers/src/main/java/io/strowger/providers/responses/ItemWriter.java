package io.strowger.providers.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages as items of an input. A message with a source is written as that item; any other
 * becomes as many items as it needs, since calls, results and unknown parts are items of their own
 * in this dialect.
 */
final class ItemWriter {
  private ItemWriter() {}

  /**
   * Returns the text of a user message that can be the whole input as a string; null for others.
   */
  static Json.@Nullable Str prompt(Message message) {
    return message.role() == Message.Role.USER
            && message.contentForm() == ContentForm.STRING
            && message.extras().size() == 0
            && message.parts().size() == 1
            && message.parts().get(0) instanceof Part.Text text
        ? text.text()
        : null;
  }

  static void write(Message message, Consumer<Json> out) {
    if (message.source() instanceof Json.Obj source) {
      out.accept(source);
      return;
    }
    List<Part> content = message.parts().stream().filter(part -> isContent(part, message)).toList();
    boolean isWritten = content.isEmpty();
    if (isWritten && hasContent(message)) {
      out.accept(message(message, content));
    }
    List<Part.Thinking> thoughts = new ArrayList<>();
    for (Part part : message.parts()) {
      if (part instanceof Part.Thinking thought
          && (thoughts.isEmpty()
              || ResponsesReasoningItem.belongTogether(thoughts.getLast(), thought))) {
        thoughts.add(thought);
        continue;
      }
      writeReasoning(thoughts, out);
      if (part instanceof Part.Thinking thought) {
        thoughts.add(thought);
      } else if (!isContent(part, message)) {
        out.accept(item(part));
      } else if (!isWritten) {
        out.accept(message(message, content));
        isWritten = true;
      }
    }
    writeReasoning(thoughts, out);
  }

  /** Writes the pieces of reasoning as one item. */
  private static void writeReasoning(List<Part.Thinking> thoughts, Consumer<Json> out) {
    if (!thoughts.isEmpty()) {
      out.accept(ResponsesReasoningItem.of(thoughts));
      thoughts.clear();
    }
  }

  private static boolean hasContent(Message message) {
    return switch (message.contentForm()) {
      case STRING, LIST -> true;
      case NULL, ABSENT -> false;
    };
  }

  /** Returns whether a part belongs to the content rather than being an item of its own. */
  private static boolean isContent(Part part, Message message) {
    return switch (part) {
      case Part.Text p -> true;
      case Part.Image p -> true;
      case Part.Audio p -> true;
      case Part.Video p -> true;
      case Part.File p -> true;
      case Part.ToolCall p -> false;
      case Part.ToolResult p -> false;
      case Part.Thinking p -> false;
      case Part.ServerToolRun p -> false;
      case Part.Refusal p -> true;
      case Part.Citation p -> true;
      case Part.Logprobs p -> true;
      case Part.Unknown p -> hasContent(message);
    };
  }

  /** Returns the message with its role, content and extra members, its type included. */
  private static Json message(Message message, List<Part> content) {
    var item = Json.object();
    Json type = message.extras().get("type");
    if (type != null) {
      item.put("type", type);
    }
    return item.put("role", message.role().wireName())
        .put("content", PartWriter.content(content, message.contentForm(), message.role()))
        .putAll(message.extras())
        .build();
  }

  private static Json item(Part part) {
    Json source = part.source();
    return source == null ? newItem(part) : source;
  }

  private static Json newItem(Part part) {
    return switch (part) {
      case Part.ToolCall call ->
          typed("function_call")
              .put("call_id", call.id())
              .put("name", call.name())
              .put("arguments", call.arguments().asString())
              .putAll(call.extras())
              .build();
      case Part.ToolResult result ->
          typed("function_call_output")
              .put("call_id", result.callId())
              .put("output", PartWriter.content(result.content(), result.form(), Message.Role.TOOL))
              .putAll(result.extras())
              .build();
      case Part.Thinking p -> throw noItem(p);
      case Part.Text p -> throw noItem(p);
      case Part.Image p -> throw noItem(p);
      case Part.Audio p -> throw noItem(p);
      case Part.Video p -> throw noItem(p);
      case Part.File p -> throw noItem(p);
      case Part.Refusal p -> throw noItem(p);
      case Part.Citation p -> throw noItem(p);
      case Part.Logprobs p -> throw noItem(p);
      case Part.ServerToolRun p -> throw noItem(p);
      case Part.Unknown unknown -> unknown.source();
    };
  }

  private static IllegalArgumentException noItem(Part part) {
    return new IllegalArgumentException(
        "cannot be written as an item: " + part.getClass().getSimpleName());
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }
}
