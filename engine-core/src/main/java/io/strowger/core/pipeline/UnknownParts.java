package io.strowger.core.pipeline;

import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.routing.UnknownPart;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds a part of a conversation that the engine does not know, and that only an endpoint of the
 * caller's own dialect may understand. Chat has none: there an unknown part is an error. Decision
 * 10.
 */
final class UnknownParts {
  /** A type name that may be shown; anything else could be text of the prompt. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");

  private UnknownParts() {}

  /** Returns the first unknown part of a request; null when there is none. */
  static @Nullable UnknownPart of(InferenceRequest request) {
    return switch (request.dialect()) {
      case MESSAGES -> first(request, "anthropic-messages", "messages");
      case RESPONSES -> first(request, "openai-responses", "input");
      case CHAT, GEMINI -> null;
    };
  }

  private static @Nullable UnknownPart first(
      InferenceRequest request, String protocol, String conversation) {
    for (Message message : request.messages()) {
      Part.Unknown part = firstUnknown(message.parts(), request.dialect());
      if (part != null) {
        JsonPointer pointer = JsonPointer.ROOT.child(conversation);
        JsonPointer location = locate(request.members().get(conversation), part.type(), pointer);
        String type = WORD.matcher(part.type()).matches() ? part.type() : "";
        return new UnknownPart(protocol, location == null ? pointer : location, type);
      }
    }
    return null;
  }

  private static Part.@Nullable Unknown firstUnknown(List<Part> parts, Dialect dialect) {
    for (Part part : parts) {
      if (part instanceof Part.Unknown unknown && !isKnown(unknown.type(), dialect)) {
        return unknown;
      }
      if (part instanceof Part.ToolResult result
          && firstUnknown(result.content(), dialect) instanceof Part.Unknown nested) {
        return nested;
      }
    }
    return null;
  }

  private static boolean isKnown(String type, Dialect dialect) {
    return dialect == Dialect.MESSAGES
        ? MessagesDecoder.isKnownBlockType(type)
        : ResponsesDecoder.isKnownType(type);
  }

  /**
   * Returns the place of the first object of this type; null when there is none, because a plugin
   * added the part.
   */
  private static @Nullable JsonPointer locate(
      @Nullable Json list, String type, JsonPointer pointer) {
    if (!(list instanceof Json.Arr items)) {
      return null;
    }
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Json.Obj item) {
        JsonPointer itemPointer = pointer.child(i);
        JsonPointer location =
            item.get("type") instanceof Json.Str text && text.is(type) ? itemPointer : null;
        location =
            location == null
                ? locate(item.get("content"), type, itemPointer.child("content"))
                : location;
        location =
            location == null
                ? locate(item.get("output"), type, itemPointer.child("output"))
                : location;
        if (location != null) {
          return location;
        }
      }
    }
    return null;
  }
}
