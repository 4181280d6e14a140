package io.strowger.providers.gemini;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes tool calls and their results in the order of the conversation, since a result must name
 * its function, which is known from its call. Arguments and results must be objects, so other
 * values are wrapped in one. Translation fact sheet, section 1, case 19.
 */
final class ToolParts {
  private final GeminiWriteContext geminiWriteContext;
  private final MediaParts media;
  private final Map<String, String> functions = new HashMap<>();

  ToolParts(GeminiWriteContext geminiWriteContext, MediaParts media) {
    this.geminiWriteContext = geminiWriteContext;
    this.media = media;
  }

  Json call(Part.ToolCall call, Json.@Nullable Str signature) {
    String name = geminiWriteContext.names().safe(call.name());
    functions.put(call.id(), name);
    Json.Obj.Builder function = identified(call.id()).put("name", name);
    function.put("args", arguments(call.arguments()));
    Json.Obj.Builder part = Json.object().put("functionCall", function.build());
    if (signature != null) {
      part.put("thoughtSignature", signature);
    }
    geminiWriteContext.noCacheMark(call.extras());
    return part.build();
  }

  private static Json.Obj.Builder identified(String id) {
    return id.isBlank() ? Json.object() : Json.object().put("id", id);
  }

  /** Returns the arguments: an empty object for none; other values are wrapped in an object. */
  private Json.Obj arguments(Arguments arguments) {
    Json given =
        switch (arguments) {
          case Arguments.Value(Json value) -> value;
          case Arguments.Text(Json.Str written) -> parsed(written.text());
        };
    return switch (given) {
      case Json.Obj object -> object;
      case Json.Null nothing -> Json.Obj.EMPTY;
      case Json.Str text -> wrapped("unparsed", text);
      case Json.Arr list -> wrapped("unparsed", list);
      case Json.Num number -> wrapped("unparsed", number);
      case Json.Bool bool -> wrapped("unparsed", bool);
    };
  }

  /** Returns the parsed JSON, or the text itself when it is not JSON. */
  private Json parsed(String text) {
    if (text.isBlank()) {
      return Json.NULL;
    }
    try {
      return geminiWriteContext.codec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException words) {
      return Json.of(text);
    }
  }

  private static Json.Obj wrapped(String name, Json value) {
    return Json.object().put(name, value).build();
  }

  /**
   * @param beside receives the media of the result as parts of their own
   */
  Json result(Part.ToolResult result, List<Json> beside) {
    var texts = new ArrayList<Json.Str>();
    for (Part part : result.content()) {
      content(part, texts, beside);
    }
    geminiWriteContext.noCacheMark(result.extras());
    Json.Obj.Builder response =
        identified(result.callId())
            .put("name", functions.getOrDefault(result.callId(), "unknown"))
            .put("response", response(said(texts), result.error()));
    return wrapped("functionResponse", response.build());
  }

  private void content(Part part, List<Json.Str> texts, List<Json> beside) {
    Json found =
        switch (part) {
          case Part.Text text -> {
            geminiWriteContext.noCacheMark(text.extras());
            texts.add(text.text());
            yield null;
          }
          case Part.Image image -> media.image(image);
          case Part.Audio audio -> media.audio(audio);
          case Part.Video video -> media.video(video);
          case Part.File file -> media.file(file);
          case Part.Unknown unknown -> homeless(unknown.type());
          case Part.ToolCall p -> homeless("a call");
          case Part.ToolResult p -> homeless("a result");
          case Part.Thinking p -> homeless("reasoning");
          case Part.Refusal p -> homeless("refusal");
          case Part.Citation p -> homeless("citations");
          case Part.Logprobs p -> homeless("logprobs");
          case Part.ServerToolRun p -> homeless("a tool's run");
        };
    if (found != null) {
      beside.add(found);
    }
  }

  private @Nullable Json homeless(String what) {
    geminiWriteContext.losses().dropped(what, "has no place in a tool's result");
    return null;
  }

  private static Json.Str said(List<Json.Str> texts) {
    return texts.size() == 1
        ? texts.getFirst()
        : Json.of(String.join("\n", texts.stream().map(Json.Str::text).toList()));
  }

  /** Returns an object unchanged; an error and any other value are wrapped in an object. */
  private Json response(Json.Str said, boolean error) {
    String text = said.text();
    boolean structured = text.stripLeading().startsWith("{") || text.stripLeading().startsWith("[");
    Json value = structured ? parsed(text) : said;
    if (error) {
      return wrapped("error", value);
    }
    return value instanceof Json.Obj object ? object : wrapped("result", value);
  }
}
