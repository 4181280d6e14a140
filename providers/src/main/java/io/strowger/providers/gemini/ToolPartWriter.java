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
 * Writes tool calls and their results. Both must be passed in the order of the conversation, since
 * a result must name its function, which is known only from the call. Arguments and results must be
 * objects, so other values are wrapped in one. Translation fact sheet, section 1, case 19.
 */
final class ToolPartWriter {
  private final GeminiWriteContext context;
  private final MediaPartWriter media;
  private final Map<String, String> functions = new HashMap<>();

  ToolPartWriter(GeminiWriteContext context, MediaPartWriter media) {
    this.context = context;
    this.media = media;
  }

  Json call(Part.ToolCall call, Json.@Nullable Str signature) {
    String name = context.names().toSafe(call.name());
    functions.put(call.id(), name);
    Json.Obj.Builder function = withId(call.id()).put("name", name);
    function.put("args", arguments(call.arguments()));
    Json.Obj.Builder part = Json.object().put("functionCall", function.build());
    if (signature != null) {
      part.put("thoughtSignature", signature);
    }
    context.dropCacheMarks(call.extras());
    return part.build();
  }

  private static Json.Obj.Builder withId(String id) {
    return id.isBlank() ? Json.object() : Json.object().put("id", id);
  }

  /** Returns the arguments: an empty object for none; other values are wrapped in an object. */
  private Json.Obj arguments(Arguments arguments) {
    Json parsedArguments =
        switch (arguments) {
          case Arguments.Value(Json value) -> value;
          case Arguments.Text(Json.Str written) -> parse(written.text());
        };
    return switch (parsedArguments) {
      case Json.Obj object -> object;
      case Json.Null nothing -> Json.Obj.EMPTY;
      case Json.Str text -> wrap("unparsed", text);
      case Json.Arr list -> wrap("unparsed", list);
      case Json.Num number -> wrap("unparsed", number);
      case Json.Bool bool -> wrap("unparsed", bool);
    };
  }

  /** Returns the parsed JSON, or the text itself when it is not JSON. */
  private Json parse(String text) {
    if (text.isBlank()) {
      return Json.NULL;
    }
    try {
      return context.codec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException malformed) {
      return Json.of(text);
    }
  }

  private static Json.Obj wrap(String name, Json value) {
    return Json.object().put(name, value).build();
  }

  /**
   * @param attachments receives the media of the result as parts of their own
   */
  Json result(Part.ToolResult result, List<Json> attachments) {
    var texts = new ArrayList<Json.Str>();
    for (Part part : result.content()) {
      addContent(part, texts, attachments);
    }
    context.dropCacheMarks(result.extras());
    Json.Obj.Builder response =
        withId(result.callId())
            .put("name", functions.getOrDefault(result.callId(), "unknown"))
            .put("response", response(joinTexts(texts), result.isError()));
    return wrap("functionResponse", response.build());
  }

  private void addContent(Part part, List<Json.Str> texts, List<Json> attachments) {
    Json attachment =
        switch (part) {
          case Part.Text text -> {
            context.dropCacheMarks(text.extras());
            texts.add(text.text());
            yield null;
          }
          case Part.Image image -> media.image(image);
          case Part.Audio audio -> media.audio(audio);
          case Part.Video video -> media.video(video);
          case Part.File file -> media.file(file);
          case Part.Unknown unknown -> drop(unknown.type());
          case Part.ToolCall p -> drop("a call");
          case Part.ToolResult p -> drop("a result");
          case Part.Thinking p -> drop("reasoning");
          case Part.Refusal p -> drop("refusal");
          case Part.Citation p -> drop("citations");
          case Part.Logprobs p -> drop("logprobs");
          case Part.ServerToolRun p -> drop("a tool's run");
        };
    if (attachment != null) {
      attachments.add(attachment);
    }
  }

  private @Nullable Json drop(String partName) {
    context.losses().dropped(partName, "has no place in a tool's result");
    return null;
  }

  private static Json.Str joinTexts(List<Json.Str> texts) {
    return texts.size() == 1
        ? texts.getFirst()
        : Json.of(String.join("\n", texts.stream().map(Json.Str::text).toList()));
  }

  /** Returns an object unchanged; an error and any other value are wrapped in an object. */
  private Json response(Json.Str output, boolean error) {
    String text = output.text();
    boolean looksLikeJson =
        text.stripLeading().startsWith("{") || text.stripLeading().startsWith("[");
    Json value = looksLikeJson ? parse(text) : output;
    if (error) {
      return wrap("error", value);
    }
    return value instanceof Json.Obj object ? object : wrap("result", value);
  }
}
