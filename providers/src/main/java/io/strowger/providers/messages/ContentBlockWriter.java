package io.strowger.providers.messages;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages and content blocks. A message or block with a source is written as its source,
 * any other from its fields and its extra members.
 */
final class ContentBlockWriter {
  private static final String UNPARSED = "unparsed";

  private final JsonCodec codec;

  ContentBlockWriter(JsonCodec codec) {
    this.codec = codec;
  }

  Json message(Message message) {
    Json source = message.source();
    if (source != null) {
      return source;
    }
    return Json.object()
        .put("role", role(message.role()))
        .put("content", content(message.parts(), message.contentForm()))
        .putAll(message.extras())
        .build();
  }

  /** Returns the role; this dialect has no roles for tool results and developer messages. */
  private static String role(Message.Role role) {
    return switch (role) {
      case SYSTEM, DEVELOPER -> "system";
      case USER, TOOL -> "user";
      case ASSISTANT -> "assistant";
    };
  }

  /**
   * Returns the content as one string if that is its form and the parts allow it, otherwise as a
   * list.
   */
  Json content(List<Part> parts, Message.ContentForm form) {
    if (form == Message.ContentForm.STRING) {
      if (parts.isEmpty()) {
        return Json.of("");
      }
      if (parts.size() == 1
          && parts.getFirst() instanceof Part.Text text
          && text.extras().size() == 0) {
        return text.text();
      }
    }
    return Json.array(parts.stream().filter(ContentBlockWriter::isSent).map(this::block).toList());
  }

  /**
   * Returns whether a part is sent; reasoning is accepted only with its signature, or encrypted.
   */
  private static boolean isSent(Part part) {
    return switch (part) {
      case Part.Thinking thinking -> thinking.signature() != null || isEncrypted(thinking);
      case Part.Refusal refusal -> false;
      case Part.Citation citation -> false;
      case Part.Logprobs logprobs -> false;
      case Part.ServerToolRun run -> false;
      case Part.Text p -> true;
      case Part.Image p -> true;
      case Part.Audio p -> true;
      case Part.Video p -> true;
      case Part.File p -> true;
      case Part.ToolCall p -> true;
      case Part.ToolResult p -> true;
      case Part.Unknown p -> true;
    };
  }

  private Json block(Part part) {
    Json source = part.source();
    return source == null ? newBlock(part) : source;
  }

  private Json newBlock(Part part) {
    return switch (part) {
      case Part.Text(Json.Str text, Json.Obj extras, Json source) ->
          typed("text").put("text", text).putAll(extras).build();
      case Part.Image(Media media, Json.Obj extras, Json source) -> {
        Json.Obj sourceExtras = extras.object("source");
        Json.Obj mediaSource =
            sourceExtras == null ? mediaSource(media) : merge(mediaSource(media), sourceExtras);
        yield typed("image").putAll(extras).put("source", mediaSource).build();
      }
      case Part.File(Json.Obj file, Json.Obj extras, Json source) ->
          typed("document").put("source", file).putAll(extras).build();
      case Part.ToolCall(String id, String name, Arguments arguments, Json.Obj extras, Json s) ->
          typed("tool_use")
              .put("id", id)
              .put("name", name)
              .put("input", input(arguments))
              .putAll(extras)
              .build();
      case Part.ToolResult result -> toolResult(result);
      case Part.Thinking thinking -> thinking(thinking);
      case Part.Unknown(String type, Json source) -> source;
      case Part.Audio audio -> throw noBlock("audio");
      case Part.Video video -> throw noBlock("video");
      case Part.Refusal refusal -> throw noBlock("a refusal");
      case Part.Citation citation -> throw noBlock("a citation");
      case Part.Logprobs logprobs -> throw noBlock("log probabilities");
      case Part.ServerToolRun run -> throw noBlock("a tool run of the gateway");
    };
  }

  private static IllegalArgumentException noBlock(String partName) {
    return new IllegalArgumentException("there is no block for " + partName);
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }

  private static Json.Obj merge(Json.Obj fields, Json.Obj extras) {
    return Json.object().putAll(fields).putAll(extras).build();
  }

  static Json.Obj mediaSource(Media media) {
    return switch (media) {
      case Media.Url(Json.Str url) -> typed("url").put("url", url).build();
      case Media.Inline(String type, Json.Str base64) ->
          typed("base64").put("media_type", type).put("data", base64).build();
      case Media.FileId(String id) -> typed("file").put("file_id", id).build();
    };
  }

  private Json toolResult(Part.ToolResult result) {
    Json.Obj.Builder block = typed("tool_result").put("tool_use_id", result.callId());
    boolean isAbsent =
        switch (result.form()) {
          case NULL, ABSENT -> result.content().isEmpty();
          case STRING, LIST -> false;
        };
    if (!isAbsent) {
      block.put("content", content(result.content(), result.form()));
    }
    if (result.isError()) {
      block.put("is_error", true);
    }
    return block.putAll(result.extras()).build();
  }

  private static boolean isEncrypted(Part.Thinking thinking) {
    return thinking.kind() == Part.Thinking.Kind.ENCRYPTED;
  }

  private static Json thinking(Part.Thinking thinking) {
    if (isEncrypted(thinking)) {
      return typed("redacted_thinking")
          .put("data", thinking.text())
          .putAll(thinking.extras())
          .build();
    }
    Json.Obj.Builder block = typed("thinking").put("thinking", thinking.text());
    Json.@Nullable Str signature = thinking.signature();
    if (signature != null) {
      block.put("signature", signature);
    }
    return block.putAll(thinking.extras()).build();
  }

  /**
   * Returns the arguments as JSON: an empty object for blank text; text that is not a JSON object
   * is wrapped in one, since an input is never a string.
   */
  Json input(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Value(Json value) -> value;
      case Arguments.Text(Json.Str written) -> parse(written.text());
    };
  }

  private Json parse(String text) {
    if (text.isBlank()) {
      return Json.Obj.EMPTY;
    }
    try {
      Json input = codec.parse(text.getBytes(StandardCharsets.UTF_8));
      return switch (input) {
        case Json.Obj object -> object;
        case Json.Null nothing -> Json.Obj.EMPTY;
        case Json.Arr a -> wrapUnparsed(text);
        case Json.Str s -> wrapUnparsed(text);
        case Json.Num n -> wrapUnparsed(text);
        case Json.Bool b -> wrapUnparsed(text);
      };
    } catch (MalformedJsonException malformed) {
      return wrapUnparsed(text);
    }
  }

  private static Json wrapUnparsed(String text) {
    return Json.object().put(UNPARSED, text).build();
  }

  /**
   * Returns whether the input is the object in which {@link #input} wraps text that is not a JSON
   * object.
   */
  static boolean isUnparsed(Json.Obj input) {
    return input.size() == 1 && input.name(0).equals(UNPARSED) && input.sourceLength() == 0;
  }
}
