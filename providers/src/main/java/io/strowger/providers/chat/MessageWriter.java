package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages and their parts. A message or part that still has its source, the JSON it was
 * read from, is written as exactly that. Any other is written from its fields and its extras.
 */
final class MessageWriter {
  private static final String CALLS = "tool_calls";

  private MessageWriter() {}

  /** Returns whether the list contains exactly these messages, unchanged. */
  static boolean areUnchanged(List<Message> messages, Json.Arr list) {
    if (list.size() != messages.size()) {
      return false;
    }
    for (int i = 0; i < list.size(); i++) {
      Json original = list.get(i);
      if (messages.get(i).source() != original
          || !(original instanceof Json.Obj message && withoutEmptyCalls(message) == message)) {
        return false;
      }
    }
    return true;
  }

  static void write(Message message, JsonOutput out) {
    if (message.source() instanceof Json.Obj source) {
      withoutEmptyCalls(source).writeTo(out);
      return;
    }
    var writer = new ChatObjectWriter(out).put("role", message.role().wireName());
    if (!message.parts().isEmpty() && message.parts().get(0) instanceof Part.ToolResult result) {
      writer.put("tool_call_id", result.callId());
      writeContent(result.content(), result.isString(), writer.name("content"));
    } else {
      writeContent(message, writer);
      writeReasoning(message.parts(), writer);
      writeToolCalls(message.parts(), writer);
    }
    writeExtras(message, writer);
    writer.end();
  }

  /**
   * Writes the extras of a message. A member is omitted if a part was already written under its
   * name. Without such a part the member is kept, even if its value is null, an empty string or an
   * empty list.
   */
  private static void writeExtras(Message message, ChatObjectWriter writer) {
    for (int i = 0; i < message.extras().size(); i++) {
      String name = message.extras().name(i);
      if (!name.equals("role")
          && message.parts().stream().noneMatch(part -> isWrittenAs(part, name))) {
        writer.copy(message.extras(), i);
      }
    }
  }

  private static boolean isWrittenAs(Part part, String member) {
    return switch (member) {
      case "reasoning", "reasoning_details" -> part instanceof Part.Thinking;
      case "refusal" -> part instanceof Part.Refusal;
      case CALLS -> part instanceof Part.ToolCall;
      default -> false;
    };
  }

  /** Returns the message without {@code tool_calls} if that list is empty. */
  private static Json.Obj withoutEmptyCalls(Json.Obj message) {
    Json.Arr calls = message.list(CALLS);
    return calls != null && calls.isEmpty() ? message.without(CALLS) : message;
  }

  private static void writeContent(Message message, ChatObjectWriter writer) {
    List<Part> parts = message.parts().stream().filter(MessageWriter::isContent).toList();
    switch (message.contentForm()) {
      case STRING -> writeContent(parts, true, writer.name("content"));
      case LIST -> writeContent(parts, false, writer.name("content"));
      case NULL -> writer.put("content", Json.NULL);
      case ABSENT -> {
        if (!parts.isEmpty()) {
          writeContent(parts, false, writer.name("content"));
        }
      }
    }
  }

  /** Returns whether a part is written in {@code content} rather than in another member. */
  private static boolean isContent(Part part) {
    return switch (part) {
      case Part.Text p -> true;
      case Part.Image p -> true;
      case Part.Audio p -> true;
      case Part.Video p -> true;
      case Part.File p -> true;
      case Part.ToolResult p -> true;
      case Part.Unknown p -> true;
      case Part.ToolCall p -> false;
      case Part.Thinking p -> false;
      case Part.Refusal p -> false;
      case Part.Citation p -> false;
      case Part.Logprobs p -> false;
      case Part.ServerToolRun p -> false;
    };
  }

  private static void writeContent(List<Part> parts, boolean asString, JsonOutput out) {
    if (asString && parts.size() == 1 && parts.get(0) instanceof Part.Text text) {
      text.text().writeTo(out);
      return;
    }
    if (asString && parts.isEmpty()) {
      out.string("");
      return;
    }
    out.raw('[');
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      writePart(parts.get(i), out);
    }
    out.raw(']');
  }

  /**
   * Writes the {@code refusal} and the reasoning of a message. Reasoning is written in order as
   * {@code reasoning_details}, or as {@code reasoning} when it is one plain text without a
   * signature or other properties. All other parts are ignored. Chat fact sheet, section 3.
   */
  private static void writeReasoning(List<Part> parts, ChatObjectWriter writer) {
    var details = new ArrayList<Json>();
    Json.Str plainText = plainReasoning(parts);
    for (Part part : parts) {
      if (part instanceof Part.Refusal refusal) {
        writer.put("refusal", refusal.text());
      } else if (part instanceof Part.Thinking thought && plainText == null) {
        details.add(Objects.requireNonNullElseGet(thought.source(), () -> detail(thought)));
      }
    }
    if (plainText != null) {
      writer.put("reasoning", plainText);
    }
    if (!details.isEmpty()) {
      writer.put("reasoning_details", Json.array(details));
    }
  }

  /**
   * Returns the text if there is exactly one piece of reasoning and it has no other properties;
   * null otherwise.
   */
  private static Json.@Nullable Str plainReasoning(List<Part> parts) {
    Part.Thinking single = null;
    for (Part part : parts) {
      if (part instanceof Part.Thinking thought) {
        if (single != null) {
          return null;
        }
        single = thought;
      }
    }
    return single != null && isPlain(single) ? single.text() : null;
  }

  private static boolean isPlain(Part.Thinking thought) {
    return thought.kind() == Part.Thinking.Kind.TEXT
        && thought.source() == null
        && thought.signature() == null
        && thought.format() == null
        && thought.id() == null
        && thought.extras().size() == 0
        && !thought.text().isEmpty();
  }

  private static Json detail(Part.Thinking thought) {
    Json.Obj.Builder item =
        switch (thought.kind()) {
          case TEXT -> item("reasoning.text").put("text", thought.text());
          case SUMMARY -> item("reasoning.summary").put("summary", thought.text());
          case ENCRYPTED -> item("reasoning.encrypted").put("data", thought.text());
        };
    if (thought.signature() != null) {
      item.put("signature", thought.signature());
    }
    if (thought.id() != null) {
      item.put("id", thought.id());
    }
    if (thought.format() != null) {
      item.put("format", thought.format());
    }
    return item.putAll(thought.extras()).build();
  }

  private static Json.Obj.Builder item(String type) {
    return Json.object().put("type", type);
  }

  private static void writeToolCalls(List<Part> parts, ChatObjectWriter writer) {
    List<Part> calls = parts.stream().filter(part -> part instanceof Part.ToolCall).toList();
    if (!calls.isEmpty()) {
      writeContent(calls, false, writer.name(CALLS));
    }
  }

  private static void writePart(Part part, JsonOutput out) {
    if (part.source() instanceof Json.Obj source) {
      source.writeTo(out);
      return;
    }
    switch (part) {
      case Part.Text(Json.Str text, Json.Obj extras, Json source) ->
          beginTyped("text", out).put("text", text).copyAllExcept(extras, "text").end();
      case Part.Image(Media media, Json.Obj extras, Json source) ->
          writeInner("image_url", extras, Json.object().put("url", media.asUrl()).build(), out);
      case Part.Audio(Json.Str data, String format, Json.Obj extras, Json source) ->
          writeInner(
              "input_audio",
              extras,
              Json.object().put("data", data).put("format", format).build(),
              out);
      case Part.Video(Json.Str url, Json.Obj extras, Json source) ->
          writeInner("video_url", extras, Json.object().put("url", url).build(), out);
      case Part.File(Json.Obj file, Json.Obj extras, Json source) ->
          writeInner("file", extras, file, out);
      case Part.ToolCall call -> writeToolCall(call, out);
      case Part.ToolResult result -> writeContent(result.content(), false, out);
      case Part.Thinking thinking -> throw notContent(part);
      case Part.Refusal refusal -> throw notContent(part);
      case Part.Citation citation -> throw notContent(part);
      case Part.Logprobs logprobs -> throw notContent(part);
      case Part.ServerToolRun run -> throw notContent(part);
      case Part.Unknown(String type, Json source) -> source.writeTo(out);
    }
  }

  private static IllegalArgumentException notContent(Part part) {
    return new IllegalArgumentException(
        "cannot be written in content: " + part.getClass().getSimpleName());
  }

  private static void writeToolCall(Part.ToolCall call, JsonOutput out) {
    Json.Obj function =
        Json.object()
            .put("name", call.name())
            .put("arguments", TranslatedChatMessages.arguments(call.arguments()))
            .build();
    var writer = new ChatObjectWriter(out).put("id", call.id()).put("type", "function");
    writer.put("function", merge(function, call.extras().object("function")));
    writer.copyAllExcept(call.extras(), "function").end();
  }

  private static ChatObjectWriter beginTyped(String type, JsonOutput out) {
    return new ChatObjectWriter(out).put("type", type);
  }

  /** Writes a part whose fields are in an inner object, with all its extras. */
  private static void writeInner(String type, Json.Obj extras, Json.Obj fields, JsonOutput out) {
    beginTyped(type, out)
        .put(type, merge(fields, extras.object(type)))
        .copyAllExcept(extras, type)
        .end();
  }

  static Json.Obj merge(Json.Obj fields, Json.@Nullable Obj others) {
    if (others == null) {
      return fields;
    }
    return Json.object().putAll(others).putAll(fields).build();
  }
}
