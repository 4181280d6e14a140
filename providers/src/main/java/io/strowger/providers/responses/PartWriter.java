package io.strowger.providers.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the content of a message or tool result as its parts. A part with a source is written as
 * its source, any other from its fields and its extra members.
 */
final class PartWriter {
  private PartWriter() {}

  /**
   * Returns one string if that is the form and the parts allow it, otherwise a list.
   *
   * @param role the role of the content's author: texts of the assistant are output, all others are
   *     input
   */
  static Json content(List<Part> parts, Message.ContentForm form, Message.Role role) {
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

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
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
