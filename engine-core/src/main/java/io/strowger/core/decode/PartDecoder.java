package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a message consists of. Chat fact sheet, section 3.
 *
 * <p>In {@code extras} a member of an inner object stands under that object's name: an image of
 * high detail has the extras {@code {"image_url":{"detail":"high"}}}.
 */
final class PartDecoder {
  private static final List<String> DETAILS = List.of("auto", "low", "high", "original");
  private static final String TYPES =
      "must be one of text, image_url, input_audio, video_url, input_video, file";

  private final Checks checks;

  PartDecoder(Checks checks) {
    this.checks = checks;
  }

  /**
   * The parts of a message's {@code content}, which has to be there.
   *
   * @param textOnly the role takes no other parts
   */
  List<Part> content(JsonPointer message, @Nullable Json content, boolean textOnly) {
    if (content == null) {
      checks.missing(message, "content");
      return List.of();
    }
    if (content instanceof Json.Str str) {
      // no source: its JSON is that of a whole content, not of a part
      return List.of(new Part.Text(str, Json.Obj.EMPTY, null));
    }
    if (!(content instanceof Json.Arr items)) {
      checks.wrong(message, "content", "must be a string or an array of content parts", content);
      return List.of();
    }
    JsonPointer at = message.child("content");
    var parts = new ArrayList<Part>(items.size());
    for (int i = 0; i < items.size(); i++) {
      Part part = part(at.child(i), items.get(i), textOnly);
      if (part != null) {
        parts.add(part);
      }
    }
    return parts;
  }

  private @Nullable Part part(JsonPointer at, Json item, boolean textOnly) {
    if (!(item instanceof Json.Obj part)) {
      checks.problems().add(at, "must be an object", item);
      return null;
    }
    Json type = part.get("type");
    if (type == null) {
      checks.missing(at, "type");
      return null;
    }
    String name = type instanceof Json.Str str ? str.text() : "";
    if (name.equals("text")) {
      return text(at, part);
    }
    if (textOnly) {
      checks.wrong(at, "type", "must be text, the only kind this role takes", type);
      return null;
    }
    return switch (name) {
      case "image_url" -> image(at, part);
      case "input_audio" -> audio(at, part);
      case "video_url", "input_video" -> video(at, part);
      case "file" -> file(at, part);
      default -> {
        checks.wrong(at, "type", TYPES, type);
        yield null;
      }
    };
  }

  private @Nullable Part text(JsonPointer at, Json.Obj part) {
    Json.Str text = requiredString(at, part, "text");
    if (part.size() > 2) {
      Json cache = part.get("cache_control");
      if (cache != null) {
        Markers.cacheControl(checks, at, "cache_control", cache);
      }
      Json breakpoint = part.get("prompt_cache_breakpoint");
      if (breakpoint != null && !(breakpoint instanceof Json.Null)) {
        Markers.mode(checks, at, "prompt_cache_breakpoint", breakpoint);
      }
    }
    return text == null ? null : new Part.Text(text, extras(part, "text", null), part);
  }

  private @Nullable Part image(JsonPointer at, Json.Obj part) {
    Json.Obj image = requiredObject(at, part, "image_url");
    if (image == null) {
      return null;
    }
    JsonPointer inner = at.child("image_url");
    Json detail = image.get("detail");
    if (detail != null) {
      checks.word(inner, "detail", detail, DETAILS);
    }
    Json.Str url = requiredString(inner, image, "url");
    return url == null
        ? null
        : new Part.Image(url, extras(part, "image_url", image.without("url")), part);
  }

  private @Nullable Part audio(JsonPointer at, Json.Obj part) {
    Json.Obj audio = requiredObject(at, part, "input_audio");
    if (audio == null) {
      return null;
    }
    JsonPointer inner = at.child("input_audio");
    Json.Str data = requiredString(inner, audio, "data");
    Json.Str format = requiredString(inner, audio, "format");
    return data == null || format == null
        ? null
        : new Part.Audio(
            data,
            format.text(),
            extras(part, "input_audio", audio.without("data").without("format")),
            part);
  }

  private @Nullable Part video(JsonPointer at, Json.Obj part) {
    Json.Obj video = requiredObject(at, part, "video_url");
    if (video == null) {
      return null;
    }
    Json.Str url = requiredString(at.child("video_url"), video, "url");
    return url == null
        ? null
        : new Part.Video(url, extras(part, "video_url", video.without("url")), part);
  }

  private @Nullable Part file(JsonPointer at, Json.Obj part) {
    Json.Obj file = requiredObject(at, part, "file");
    if (file == null) {
      return null;
    }
    JsonPointer inner = at.child("file");
    for (String name : List.of("filename", "file_data", "file_id")) {
      Json value = file.get(name);
      if (value != null) {
        checks.string(inner, name, value);
      }
    }
    return new Part.File(file, extras(part, "file", null), part);
  }

  /** One item of an assistant's {@code tool_calls}. */
  @Nullable Part toolCall(JsonPointer at, Json item) {
    if (!(item instanceof Json.Obj call)) {
      checks.problems().add(at, "must be an object", item);
      return null;
    }
    Json.Str id = requiredString(at, call, "id");
    Json type = call.get("type");
    if (type == null) {
      checks.missing(at, "type");
    } else {
      checks.word(at, "type", type, List.of("function"));
    }
    Json.Obj function = requiredObject(at, call, "function");
    if (function == null) {
      return null;
    }
    JsonPointer inner = at.child("function");
    Json.Str name = requiredString(inner, function, "name");
    Json.Str arguments = requiredString(inner, function, "arguments");
    if (id == null || name == null || arguments == null) {
      return null;
    }
    Json.Obj unmodelled = function.without("name").without("arguments");
    Json.Obj extras = extras(call, "function", unmodelled).without("id");
    return new Part.ToolCall(id.text(), name.text(), arguments, extras, call);
  }

  /** What is left of an object whose {@code type} and this member are modelled. */
  static Json.Obj extras(Json.Obj object, String modelled, Json.@Nullable Obj innerRest) {
    Json.Obj inner = innerRest == null || innerRest.size() == 0 ? null : innerRest;
    if (object.size() == 2 && inner == null) {
      return Json.Obj.EMPTY;
    }
    Json.Obj rest = object.without("type");
    return inner == null ? rest.without(modelled) : rest.with(modelled, inner);
  }

  private Json.@Nullable Str requiredString(JsonPointer at, Json.Obj object, String name) {
    Json value = object.get(name);
    if (value == null) {
      checks.missing(at, name);
      return null;
    }
    return checks.string(at, name, value);
  }

  private Json.@Nullable Obj requiredObject(JsonPointer at, Json.Obj object, String name) {
    Json value = object.get(name);
    if (value == null) {
      checks.missing(at, name);
      return null;
    }
    return checks.object(at, name, value);
  }
}
