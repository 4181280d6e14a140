package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages and their parts. If one has a source, the source's bytes are written; otherwise
 * its fields and unmodelled members are.
 */
final class MessageWriter {
  private static final String CALLS = "tool_calls";

  private MessageWriter() {}

  /** Returns whether the list contains exactly these messages, unchanged. */
  static boolean areAsTheyCame(List<Message> messages, Json.Arr list) {
    if (list.size() != messages.size()) {
      return false;
    }
    for (int i = 0; i < list.size(); i++) {
      Json came = list.get(i);
      if (messages.get(i).source() != came
          || !(came instanceof Json.Obj message && leaving(message) == message)) {
        return false;
      }
    }
    return true;
  }

  static void write(Message message, JsonOutput out) {
    if (message.source() instanceof Json.Obj source) {
      leaving(source).writeTo(out);
      return;
    }
    var chatObjectWriter = new ChatObjectWriter(out).put("role", message.role().wireName());
    if (!message.parts().isEmpty() && message.parts().get(0) instanceof Part.ToolResult result) {
      chatObjectWriter.put("tool_call_id", result.callId());
      content(result.content(), result.plain(), chatObjectWriter.name("content"));
    } else {
      content(message, chatObjectWriter);
      ReasoningWriter.write(message.parts(), chatObjectWriter);
      toolCalls(message.parts(), chatObjectWriter);
    }
    extras(message, chatObjectWriter);
    chatObjectWriter.end();
  }

  /**
   * Writes members without a typed form. A member is omitted if a part was written as the member of
   * that name; an empty string, null or empty list is kept otherwise.
   */
  private static void extras(Message message, ChatObjectWriter chatObjectWriter) {
    for (int i = 0; i < message.extras().size(); i++) {
      String name = message.extras().name(i);
      if (!name.equals("role") && message.parts().stream().noneMatch(part -> says(part, name))) {
        chatObjectWriter.copy(message.extras(), i);
      }
    }
  }

  private static boolean says(Part part, String member) {
    return switch (member) {
      case "reasoning", "reasoning_details" -> part instanceof Part.Thinking;
      case "refusal" -> part instanceof Part.Refusal;
      case CALLS -> part instanceof Part.ToolCall;
      default -> false;
    };
  }

  /** Returns the message without {@code tool_calls} if that list is empty. */
  private static Json.Obj leaving(Json.Obj message) {
    Json.Arr calls = message.list(CALLS);
    return calls != null && calls.isEmpty() ? message.without(CALLS) : message;
  }

  private static void content(Message message, ChatObjectWriter chatObjectWriter) {
    List<Part> parts = message.parts().stream().filter(MessageWriter::isContent).toList();
    switch (message.content()) {
      case STRING -> content(parts, true, chatObjectWriter.name("content"));
      case LIST -> content(parts, false, chatObjectWriter.name("content"));
      case NULL -> chatObjectWriter.put("content", Json.NULL);
      case ABSENT -> {
        if (!parts.isEmpty()) {
          content(parts, false, chatObjectWriter.name("content"));
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

  private static void content(List<Part> parts, boolean plain, JsonOutput out) {
    if (plain && parts.size() == 1 && parts.get(0) instanceof Part.Text text) {
      text.text().writeTo(out);
      return;
    }
    if (plain && parts.isEmpty()) {
      out.string("");
      return;
    }
    out.raw('[');
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      part(parts.get(i), out);
    }
    out.raw(']');
  }

  private static void toolCalls(List<Part> parts, ChatObjectWriter chatObjectWriter) {
    List<Part> calls = parts.stream().filter(part -> part instanceof Part.ToolCall).toList();
    if (!calls.isEmpty()) {
      content(calls, false, chatObjectWriter.name(CALLS));
    }
  }

  private static void part(Part part, JsonOutput out) {
    if (part.source() instanceof Json.Obj source) {
      source.writeTo(out);
      return;
    }
    switch (part) {
      case Part.Text(Json.Str text, Json.Obj extras, Json source) ->
          typed("text", out).put("text", text).copyAllBut(extras, "text").end();
      case Part.Image(Media media, Json.Obj extras, Json source) ->
          inner("image_url", extras, Json.object().put("url", media.asUrl()).build(), out);
      case Part.Audio(Json.Str data, String format, Json.Obj extras, Json source) ->
          inner(
              "input_audio",
              extras,
              Json.object().put("data", data).put("format", format).build(),
              out);
      case Part.Video(Json.Str url, Json.Obj extras, Json source) ->
          inner("video_url", extras, Json.object().put("url", url).build(), out);
      case Part.File(Json.Obj file, Json.Obj extras, Json source) ->
          inner("file", extras, file, out);
      case Part.ToolCall call -> toolCall(call, out);
      case Part.ToolResult result -> content(result.content(), false, out);
      case Part.Thinking thinking -> throw notContent(part);
      case Part.Refusal refusal -> throw notContent(part);
      case Part.Citation citation -> throw notContent(part);
      case Part.Logprobs logprobs -> throw notContent(part);
      case Part.ServerToolRun run -> throw notContent(part);
      case Part.Unknown(String type, Json source) -> source.writeTo(out);
    }
  }

  private static IllegalArgumentException notContent(Part part) {
    return new IllegalArgumentException("no part of a content: " + part.getClass().getSimpleName());
  }

  private static void toolCall(Part.ToolCall call, JsonOutput out) {
    Json.Obj function =
        Json.object()
            .put("name", call.name())
            .put("arguments", TranslatedChatMessages.arguments(call.arguments()))
            .build();
    var chatObjectWriter = new ChatObjectWriter(out).put("id", call.id()).put("type", "function");
    chatObjectWriter.put("function", merged(function, call.extras().object("function")));
    chatObjectWriter.copyAllBut(call.extras(), "function").end();
  }

  private static ChatObjectWriter typed(String type, JsonOutput out) {
    return new ChatObjectWriter(out).put("type", type);
  }

  /** Writes a part whose fields are in an inner object, with the unmodelled members of both. */
  private static void inner(String type, Json.Obj extras, Json.Obj fields, JsonOutput out) {
    typed(type, out).put(type, merged(fields, extras.object(type))).copyAllBut(extras, type).end();
  }

  static Json.Obj merged(Json.Obj fields, Json.@Nullable Obj others) {
    if (others == null) {
      return fields;
    }
    return Json.object().putAll(others).putAll(fields).build();
  }
}
