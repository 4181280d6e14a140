package io.strowger.providers.gemini;

import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of one answer, complete or frame by frame, and keeps the state that is needed
 * later: the number of calls, since the finish reason does not tell whether there were any, and the
 * text so far, to which citations refer. The signature of a thought stays in the part of the
 * thought. Any other signature becomes a part of its own before the part it came with; before a
 * call, that part has the id of the call. Translation fact sheet, sections 4 and 5, cases 7 and 9.
 */
final class GeminiPartReader {
  /** The approximate limit of the text kept for citations, in chars. */
  private static final int MAX_CITED = 1 << 20;

  private final SafeNames names;
  private final String fallbackId;
  private final Set<String> ids = new HashSet<>();
  private final StringBuilder text = new StringBuilder(); // the text that citations refer to
  private int callCount;

  /**
   * @param names maps the upstream's tool names to the caller's
   * @param fallbackId replaces a missing answer id; unique within the conversation
   */
  GeminiPartReader(SafeNames names, String fallbackId) {
    this.names = names;
    this.fallbackId = fallbackId;
  }

  /** Returns whether a call was read. */
  boolean hasCalls() {
    return callCount > 0;
  }

  /** Adds text that was not read from parts, so that citations can refer to it. */
  void addText(Json.Str newText) {
    append(newText);
  }

  private void append(Json.Str newText) {
    if (text.length() < MAX_CITED) {
      text.append(newText.text());
    }
  }

  /** Returns the text so far; of a very long text, only the beginning. */
  String text() {
    return text.toString();
  }

  /**
   * Reads the parts of a complete answer or of one frame.
   *
   * @param document the answer or frame; its first candidate holds the parts
   */
  List<Part> read(Json.Obj document) {
    var result = new ArrayList<Part>();
    Json.Obj candidate = GeminiFinish.candidate(document);
    Json.Obj content = candidate == null ? null : candidate.object("content");
    Json.Arr parts = content == null ? null : content.list("parts");
    for (int i = 0; parts != null && i < parts.size(); i++) {
      if (parts.get(i) instanceof Json.Obj part) {
        if (part.size() > 0) {
          addPart(part, document, result);
        }
      } else {
        result.add(new Part.Unknown("", parts.get(i)));
      }
    }
    return result;
  }

  private void addPart(Json.Obj part, Json.Obj document, List<Part> into) {
    Json.Str signature = part.get("thoughtSignature") instanceof Json.Str signed ? signed : null;
    Json.Obj call = part.object("functionCall");
    if (call != null) {
      Part.ToolCall toolCall = call(call, part, document);
      addSignature(signature, toolCall.id(), into);
      into.add(toolCall);
    } else if (part.get("text") instanceof Json.Str newText) {
      addText(newText, signature, part, into);
    } else {
      addSignature(signature, null, into);
      addOther(part, into);
    }
  }

  private void addText(
      Json.Str newText, Json.@Nullable Str signature, Json.Obj part, List<Part> into) {
    if (Json.TRUE.equals(part.get("thought"))) {
      if (!newText.isEmpty() || signature != null) {
        into.add(
            new Part.Thinking(
                Part.Thinking.Kind.TEXT,
                newText,
                signature,
                GeminiCodec.FORMAT,
                null,
                Json.Obj.EMPTY,
                part));
      }
      return;
    }
    addSignature(signature, null, into);
    if (!newText.isEmpty()) {
      append(newText);
      into.add(new Part.Text(newText, Json.Obj.EMPTY, part));
    }
  }

  private static void addSignature(
      Json.@Nullable Str signature, @Nullable String id, List<Part> into) {
    if (signature != null) {
      into.add(
          new Part.Thinking(
              Part.Thinking.Kind.ENCRYPTED,
              signature,
              null,
              GeminiCodec.FORMAT,
              id,
              Json.Obj.EMPTY,
              null));
    }
  }

  /** Reads a call, which is always complete; absent arguments become an empty object. */
  private Part.ToolCall call(Json.Obj call, Json.Obj part, Json.Obj document) {
    String name = call.text("name");
    Json.Obj args = call.object("args");
    var toolCall =
        new Part.ToolCall(
            id(call.text("id"), document),
            name == null ? "" : names.toOriginal(name),
            new Arguments.Value(args == null ? Json.Obj.EMPTY : args),
            Json.Obj.EMPTY,
            part);
    callCount++;
    return toolCall;
  }

  /** Returns the upstream's id if it is new, else an id made of the answer's id and a number. */
  private String id(@Nullable String upstreamId, Json.Obj document) {
    if (upstreamId != null && !upstreamId.isBlank() && ids.add(upstreamId)) {
      return upstreamId;
    }
    String answerId = document.text("responseId");
    String generatedId =
        "call_"
            + (answerId == null || answerId.isBlank() ? fallbackId : answerId)
            + "_"
            + callCount;
    ids.add(generatedId);
    return generatedId;
  }

  private static void addOther(Json.Obj part, List<Part> into) {
    Json.Obj data = part.object("inlineData");
    boolean isDraft = Json.TRUE.equals(part.get("thought")); // a draft of the image
    Part media = data == null || isDraft ? null : media(data, part);
    if (media != null) {
      into.add(media);
    } else if (part.without("thoughtSignature").without("thought").size() > 0) {
      into.add(new Part.Unknown(part.name(0), part));
    }
  }

  private static @Nullable Part media(Json.Obj data, Json.Obj part) {
    String type = data.text("mimeType");
    if (type == null || !(data.get("data") instanceof Json.Str base64)) {
      return null;
    }
    if (type.startsWith("image/")) {
      return new Part.Image(new Media.Inline(type, base64), Json.Obj.EMPTY, part);
    }
    return type.startsWith("audio/")
        ? new Part.Audio(base64, AudioTypes.format(type), Json.Obj.EMPTY, part)
        : null;
  }
}
