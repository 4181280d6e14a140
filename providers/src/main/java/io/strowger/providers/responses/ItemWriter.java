package io.strowger.providers.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
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
 * in this dialect. A part with a source is written as its source, any other from its fields and its
 * extra members.
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
        .put("content", content(content, message.contentForm(), message.role()))
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
              .put("output", content(result.content(), result.form(), Message.Role.TOOL))
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

  /**
   * Returns one string if that is the form and the parts allow it, otherwise a list.
   *
   * @param role the role of the content's author: texts of the assistant are output, all others are
   *     input
   */
  private static Json content(List<Part> parts, Message.ContentForm form, Message.Role role) {
    if (form == Message.ContentForm.STRING) {
      if (parts.isEmpty()) {
        return Json.of("");
      }
      if (parts.size() == 1 && parts.get(0) instanceof Part.Text text) {
        return text.text();
      }
    }
    return Json.array(parts.stream().map(part -> json(part, role)).toList());
  }

  private static Json json(Part part, Message.Role role) {
    Json source = part.source();
    return source == null ? newPart(part, role) : source;
  }

  private static Json newPart(Part part, Message.Role role) {
    return switch (part) {
      case Part.Text text -> text(text, role);
      case Part.Image image -> image(image);
      case Part.Audio(Json.Str data, String format, Json.Obj extras, Json source) -> {
        Json.Obj audio = Json.object().put("data", data).put("format", format).build();
        yield typed("input_audio")
            .putAll(extras)
            .put("input_audio", merge(audio, extras.object("input_audio")))
            .build();
      }
      case Part.Video(Json.Str url, Json.Obj extras, Json source) -> {
        Json.Obj urlExtras = extras.object("video_url");
        Json address =
            urlExtras == null ? url : merge(Json.object().put("url", url).build(), urlExtras);
        yield typed("input_video").putAll(extras).put("video_url", address).build();
      }
      case Part.File file -> typed("input_file").putAll(file.file()).putAll(file.extras()).build();
      case Part.ToolCall call -> throw noPart(call);
      case Part.ToolResult result -> throw noPart(result);
      case Part.Thinking thinking -> throw noPart(thinking);
      case Part.Refusal(Json.Str text, Json source) ->
          typed("refusal").put("refusal", text).build();
      case Part.Citation citation -> throw noPart(citation);
      case Part.Logprobs logprobs -> throw noPart(logprobs);
      case Part.ServerToolRun run -> throw noPart(run);
      case Part.Unknown unknown -> unknown.source();
    };
  }

  private static IllegalArgumentException noPart(Part part) {
    return new IllegalArgumentException(
        "cannot be written in content: " + part.getClass().getSimpleName());
  }

  private static Json text(Part.Text text, Message.Role role) {
    String type = role == Message.Role.ASSISTANT ? "output_text" : "input_text";
    return typed(type).put("text", text.text()).putAll(text.extras()).build();
  }

  private static Json image(Part.Image image) {
    String name = image.media() instanceof Media.FileId ? "file_id" : "image_url";
    return typed("input_image").put(name, image.media().asUrl()).putAll(image.extras()).build();
  }

  private static Json.Obj merge(Json.Obj fields, Json.@Nullable Obj extras) {
    return extras == null ? fields : Json.object().putAll(fields).putAll(extras).build();
  }
}
