package io.strowger.providers.gemini;

import io.strowger.providers.translate.ConversationTurn;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The signatures of the calls in a conversation. The signature of a call is found by the call's id
 * or, since callers may give calls new ids, by another call to the same function with the same
 * arguments. Signatures are never made up. Translation fact sheet, section 4, case 7.
 */
final class Signatures {
  private final Map<String, Json.Str> byId = new HashMap<>();
  private final Map<Content, Json.Str> byContent = new HashMap<>();
  private final GeminiWriteContext geminiWriteContext;

  /** A function name with its arguments. */
  private record Content(String name, String arguments) {
    static Content of(Part.ToolCall call) {
      return new Content(call.name(), call.arguments().text());
    }
  }

  private Signatures(GeminiWriteContext geminiWriteContext) {
    this.geminiWriteContext = geminiWriteContext;
  }

  static Signatures of(List<ConversationTurn> turns, GeminiWriteContext geminiWriteContext) {
    var found = new Signatures(geminiWriteContext);
    Set<String> calls = new HashSet<>();
    for (ConversationTurn turn : turns) {
      for (Part part : turn.parts()) {
        if (part instanceof Part.Thinking thinking) {
          found.keep(thinking);
        } else if (part instanceof Part.ToolCall call && turn.role() == Message.Role.ASSISTANT) {
          calls.add(call.id());
        }
      }
    }
    for (ConversationTurn turn : turns) {
      for (Part part : turn.parts()) {
        if (part instanceof Part.ToolCall call && found.byId.containsKey(call.id())) {
          found.byContent.put(Content.of(call), found.byId.get(call.id()));
        }
      }
    }
    if (!calls.containsAll(found.byId.keySet())) {
      geminiWriteContext.losses().dropped("reasoning", "the call it came with is not there");
    }
    return found;
  }

  private void keep(Part.Thinking thinking) {
    String call = thinking.id();
    if (thinking.kind() == Part.Thinking.Kind.ENCRYPTED && call != null) {
      byId.putIfAbsent(call, thinking.text());
    }
  }

  /**
   * Returns the call's signature; null when there is none.
   *
   * @param first whether it is the first call of its turn, since of parallel calls only the first
   *     is signed
   */
  Json.@Nullable Str of(Part.ToolCall call, boolean first) {
    Json.Str own = byId.get(call.id());
    Json.Str found = own != null ? own : first ? byContent.get(Content.of(call)) : null;
    if (found == null && first && reasons()) {
      geminiWriteContext
          .losses()
          .dropped("reasoning", "a call goes without its signature, which is not there");
    }
    return found;
  }

  /** Returns whether the model reasons; other models sign nothing. */
  private boolean reasons() {
    var told = geminiWriteContext.call().reasoning();
    return told.mandatory() || told.maxTokens() || !told.efforts().isEmpty();
  }
}
