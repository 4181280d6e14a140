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
  private final GeminiWriteContext context;

  /** A function name with its arguments. */
  private record Content(String name, String arguments) {
    static Content of(Part.ToolCall call) {
      return new Content(call.name(), call.arguments().text());
    }
  }

  private Signatures(GeminiWriteContext context) {
    this.context = context;
  }

  static Signatures of(List<ConversationTurn> turns, GeminiWriteContext context) {
    var result = new Signatures(context);
    Set<String> calls = new HashSet<>();
    for (ConversationTurn turn : turns) {
      for (Part part : turn.parts()) {
        if (part instanceof Part.Thinking thinking) {
          result.remember(thinking);
        } else if (part instanceof Part.ToolCall call && turn.role() == Message.Role.ASSISTANT) {
          calls.add(call.id());
        }
      }
    }
    for (ConversationTurn turn : turns) {
      for (Part part : turn.parts()) {
        if (part instanceof Part.ToolCall call && result.byId.containsKey(call.id())) {
          result.byContent.put(Content.of(call), result.byId.get(call.id()));
        }
      }
    }
    if (!calls.containsAll(result.byId.keySet())) {
      context.losses().dropped("reasoning", "the call that it came with is missing");
    }
    return result;
  }

  private void remember(Part.Thinking thinking) {
    String callId = thinking.id();
    if (thinking.kind() == Part.Thinking.Kind.ENCRYPTED && callId != null) {
      byId.putIfAbsent(callId, thinking.text());
    }
  }

  /**
   * Returns the call's signature; null when there is none.
   *
   * @param first whether it is the first call of its turn, since of parallel calls only the first
   *     is signed
   */
  Json.@Nullable Str of(Part.ToolCall call, boolean first) {
    Json.Str exact = byId.get(call.id());
    Json.Str result = exact != null ? exact : first ? byContent.get(Content.of(call)) : null;
    if (result == null && first && isReasoningModel()) {
      context
          .losses()
          .dropped("reasoning", "a call was sent without its signature, which is missing");
    }
    return result;
  }

  /** Returns whether the model reasons; other models sign nothing. */
  private boolean isReasoningModel() {
    var reasoning = context.call().reasoning();
    return reasoning.mandatory() || reasoning.acceptsMaxTokens() || !reasoning.efforts().isEmpty();
  }
}
