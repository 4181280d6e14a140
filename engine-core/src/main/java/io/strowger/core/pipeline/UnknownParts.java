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
      Part.Unknown part = unknown(message.parts(), request.dialect());
      if (part != null) {
        JsonPointer at = JsonPointer.ROOT.child(conversation);
        JsonPointer found = place(request.members().get(conversation), part.type(), at);
        String type = WORD.matcher(part.type()).matches() ? part.type() : "";
        return new UnknownPart(protocol, found == null ? at : found, type);
      }
    }
    return null;
  }

  private static Part.@Nullable Unknown unknown(List<Part> parts, Dialect dialect) {
    for (Part part : parts) {
      if (part instanceof Part.Unknown unknown && !isKnown(unknown.type(), dialect)) {
        return unknown;
      }
      if (part instanceof Part.ToolResult result
          && unknown(result.content(), dialect) instanceof Part.Unknown inside) {
        return inside;
      }
    }
    return null;
  }

  private static boolean isKnown(String type, Dialect dialect) {
    return dialect == Dialect.MESSAGES ? MessagesDecoder.knows(type) : ResponsesDecoder.knows(type);
  }

  /**
   * Returns the place of the first object of this type; null when there is none, because a plugin
   * added the part.
   */
  private static @Nullable JsonPointer place(@Nullable Json list, String type, JsonPointer at) {
    if (!(list instanceof Json.Arr items)) {
      return null;
    }
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Json.Obj item) {
        JsonPointer here = at.child(i);
        JsonPointer found = item.get("type") instanceof Json.Str own && own.is(type) ? here : null;
        found = found == null ? place(item.get("content"), type, here.child("content")) : found;
        found = found == null ? place(item.get("output"), type, here.child("output")) : found;
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
