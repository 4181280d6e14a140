package io.strowger.providers.messages;

import io.strowger.providers.translate.ConversationTurn;
import io.strowger.providers.translate.DataUrl;
import io.strowger.providers.translate.DocumentInput;
import io.strowger.providers.translate.Documents;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the turns of a conversation in another dialect as messages. One instance per request. */
final class TurnWriter {
  private static final String PDF = "application/pdf";

  private final ContentBlockWriter blockWriter;
  private final SafeNames names;
  private final CacheMarks marks;
  private final Losses losses;

  TurnWriter(ContentBlockWriter blockWriter, SafeNames names, CacheMarks marks, Losses losses) {
    this.blockWriter = blockWriter;
    this.names = names;
    this.marks = marks;
    this.losses = losses;
  }

  /**
   * Returns whether the model's last turn calls tools and does not begin with accepted reasoning.
   */
  static boolean lacksSignedReasoning(List<ConversationTurn> turns) {
    for (ConversationTurn turn : turns.reversed()) {
      if (turn.role() == Message.Role.ASSISTANT) {
        return turn.parts().stream().anyMatch(part -> part instanceof Part.ToolCall)
            && !(turn.parts().getFirst() instanceof Part.Thinking thought && isAccepted(thought));
      }
    }
    return false;
  }

  /** Returns whether the vendor accepts the reasoning back, because it is signed or encrypted. */
  private static boolean isAccepted(Part.Thinking thought) {
    return thought.kind() == Part.Thinking.Kind.ENCRYPTED || thought.signature() != null;
  }

  Json.Obj message(ConversationTurn turn) {
    List<Json.Obj> blocks = blocks(turn.parts());
    if (blocks.isEmpty()) {
      blocks.add(text("(Left out: what was here cannot be sent to this model.)"));
    }
    return Json.object()
        .put("role", turn.role() == Message.Role.ASSISTANT ? "assistant" : "user")
        .put("content", content(blocks))
        .build();
  }

  static Json.Obj text(String text) {
    return Json.object().put("type", "text").put("text", text).build();
  }

  /** Returns a single text block without other members as a string, anything else as a list. */
  private static Json content(List<Json.Obj> blocks) {
    Json.Obj single = blocks.size() == 1 ? blocks.getFirst() : Json.Obj.EMPTY;
    boolean isPlainText = single.size() == 2 && "text".equals(single.text("type"));
    return isPlainText ? Objects.requireNonNull(single.get("text")) : Json.array(blocks);
  }

  private List<Json.Obj> blocks(List<Part> parts) {
    var blocks = new ArrayList<Json.Obj>(parts.size());
    for (Part part : parts) {
      Json.Obj block = block(part);
      if (block != null) {
        blocks.add(block);
      }
    }
    return blocks;
  }

  private Json.@Nullable Obj block(Part part) {
    return switch (part) {
      case Part.Text(Json.Str text, Json.Obj extras, Json source) -> text(text, extras);
      case Part.Image(Media media, Json.Obj extras, Json source) -> image(media, extras);
      case Part.File file -> document(file);
      case Part.ToolCall call -> call(call);
      case Part.ToolResult result -> result(result);
      case Part.Thinking thought -> thinking(thought);
      case Part.Audio audio -> drop("audio");
      case Part.Video video -> drop("video");
      case Part.Refusal refusal -> drop("refusal");
      case Part.Citation citation -> drop("citations");
      case Part.Logprobs logprobs -> drop("logprobs");
      case Part.ServerToolRun run -> drop("reasoning.server_tool_call");
      case Part.Unknown unknown -> drop(unknown.type());
    };
  }

  private Json.@Nullable Obj drop(String partName) {
    losses.dropped(partName, "has no form in this dialect");
    return null;
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }

  private Json.@Nullable Obj text(Json.Str text, Json.Obj extras) {
    boolean isBlank = text.isEmpty() || text.text().isBlank();
    return isBlank ? null : marks.put(extras, typed("text").put("text", text)).build();
  }

  private Json.Obj image(Media media, Json.Obj extras) {
    Json.Obj imageUrl = extras.object("image_url");
    String detail = (imageUrl == null ? extras : imageUrl).text("detail");
    if (detail != null && !detail.equals("auto")) {
      losses.dropped("image detail", "has no form in this dialect");
    }
    Media resolved = DataUrl.toInline(media);
    boolean isPdf =
        resolved instanceof Media.Inline(String type, Json.Str data) && type.equals(PDF);
    Json.Obj.Builder block =
        typed(isPdf ? "document" : "image").put("source", ContentBlockWriter.mediaSource(resolved));
    return marks.put(extras, block).build();
  }

  private Json.@Nullable Obj document(Part.File file) {
    DocumentInput document = Documents.of(file, losses);
    if (document == null) {
      return null;
    }
    Media media = document.media();
    boolean isImage = media instanceof Media.Inline && document.mediaType().startsWith("image/");
    Json.Obj.Builder block =
        typed(isImage ? "image" : "document").put("source", source(document, media));
    if (!isImage && document.name() != null) {
      block.put("title", document.name());
    }
    if (!isImage && document.context() != null) {
      block.put("context", document.context());
    }
    return marks.put(file.extras(), block).build();
  }

  private static Json.Obj source(DocumentInput document, @Nullable Media media) {
    if (media instanceof Media.Inline(String type, Json.Str data) && type.startsWith("text/")) {
      String text = decode(data.text());
      return text == null ? ContentBlockWriter.mediaSource(media) : textSource(text);
    }
    return media == null
        ? textSource(Objects.requireNonNullElse(document.text(), ""))
        : ContentBlockWriter.mediaSource(media);
  }

  private static Json.Obj textSource(String text) {
    return typed("text").put("media_type", "text/plain").put("data", text).build();
  }

  private static @Nullable String decode(String base64) {
    try {
      return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException noBase64) {
      return null; // the upstream will report the malformed data
    }
  }

  private Json.Obj call(Part.ToolCall call) {
    Arguments arguments =
        call.arguments() instanceof Arguments.Value(Json value) && !(value instanceof Json.Obj)
            ? new Arguments.Text(call.arguments().asString())
            : call.arguments();
    Json input = blockWriter.input(arguments);
    if (input instanceof Json.Obj object && ContentBlockWriter.isUnparsed(object)) {
      losses.changed(
          "a tool call's arguments", "are not a JSON object: they were sent as text inside one");
    }
    return marks
        .put(
            call.extras(),
            typed("tool_use")
                .put("id", names.toSafe(call.id()))
                .put("name", names.toSafe(call.name()))
                .put("input", input))
        .build();
  }

  private Json.Obj result(Part.ToolResult result) {
    Json.Obj.Builder block = typed("tool_result").put("tool_use_id", names.toSafe(result.callId()));
    List<Json.Obj> content = blocks(result.content());
    if (!content.isEmpty()) {
      block.put("content", content(content));
    }
    if (result.isError()) {
      block.put("is_error", true);
    }
    return marks.put(result.extras(), block).build();
  }

  private Json.@Nullable Obj thinking(Part.Thinking thought) {
    if (thought.kind() == Part.Thinking.Kind.ENCRYPTED) {
      return typed("redacted_thinking").put("data", thought.text()).build();
    }
    Json.Str signature = thought.signature();
    if (signature == null) {
      losses.dropped("reasoning", "has no signature");
      return null;
    }
    return typed("thinking").put("thinking", thought.text()).put("signature", signature).build();
  }
}
