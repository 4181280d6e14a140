package io.strowger.providers.responses;

import io.strowger.providers.translate.Conversation;
import io.strowger.providers.translate.ConversationTurn;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a conversation in another dialect as instructions and items: a turn of the model becomes
 * as many items as it needs, in order. One instance per request.
 */
final class InputWriter {
  /** The longest id that upstreams accept for linking a call to its result. */
  private static final int MAX_ID_LENGTH = 64;

  private final SafeNames names;
  private final Losses losses;
  private final TranslatedInputParts parts;
  private final List<Json> items = new ArrayList<>();
  private final Map<String, String> shortenedIds = new HashMap<>();
  private @Nullable String instructions;

  InputWriter(Endpoint endpoint, SafeNames names, Losses losses) {
    this.names = names;
    this.losses = losses;
    this.parts = new TranslatedInputParts(endpoint, losses);
  }

  void write(Conversation conversation) {
    writeSystem(conversation);
    conversation.turns().forEach(this::writeTurn);
  }

  /** Returns the system text; null when there is none or when it was written as an item. */
  @Nullable String instructions() {
    return instructions;
  }

  Json.Arr items() {
    return Json.array(items);
  }

  /**
   * Writes the system text as instructions, or as an item if it has a cache mark or the
   * conversation has no turns.
   */
  private void writeSystem(Conversation conversation) {
    List<Part.Text> system = conversation.system();
    if (system.isEmpty()) {
      return;
    }
    boolean hasMark = system.stream().anyMatch(TranslatedInputParts::isMarked);
    if (hasMark || conversation.turns().isEmpty()) {
      writeMessage(Message.Role.SYSTEM, system);
    } else {
      instructions =
          system.stream().map(text -> text.text().text()).collect(Collectors.joining("\n\n"));
    }
  }

  private void writeTurn(ConversationTurn turn) {
    if (turn.role() == Message.Role.ASSISTANT) {
      writeAssistant(turn.parts());
      return;
    }
    var messageParts = new ArrayList<Part>();
    for (Part part : turn.parts()) {
      if (part instanceof Part.ToolResult result) {
        writeResult(result);
      } else {
        messageParts.add(part);
      }
    }
    writeMessage(turn.role(), messageParts);
  }

  private void writeMessage(Message.Role role, List<? extends Part> messageParts) {
    Json content = parts.content(messageParts);
    if (content != null) {
      items.add(Json.object().put("role", role.wireName()).put("content", content).build());
    }
  }

  private void writeResult(Part.ToolResult result) {
    Json output = parts.content(result.content());
    if (result.isError()) {
      losses.changed("is_error", "only the text of the result says that it failed");
    }
    if (result.extras().get("cache_control") instanceof Json.Obj) {
      losses.dropped("cache_control", "only texts can have a cache mark in this dialect");
    }
    items.add(
        typed("function_call_output")
            .put("call_id", id(result.callId()))
            .put("output", output == null ? Json.of("") : output)
            .build());
  }

  /**
   * Writes the parts in order. Each text becomes a message of its own, since a message with a list
   * of parts would need an id.
   */
  private void writeAssistant(List<Part> turnParts) {
    var thoughts = new ArrayList<Part.Thinking>();
    for (Part part : turnParts) {
      if (part instanceof Part.Thinking thought) {
        if (!thoughts.isEmpty()
            && !ResponsesReasoningItem.belongTogether(thoughts.getLast(), thought)) {
          endThoughts(thoughts);
        }
        thoughts.add(thought);
      } else {
        endThoughts(thoughts);
        writeAssistant(part);
      }
    }
    if (!thoughts.isEmpty()) {
      losses.dropped("reasoning", "no text or call of the model follows it");
    }
  }

  private void writeAssistant(Part part) {
    switch (part) {
      case Part.Text text ->
          items.add(Json.object().put("role", "assistant").put("content", text.text()).build());
      case Part.ToolCall call -> items.add(call(call));
      case Part.Image other -> drop(other);
      case Part.Audio other -> drop(other);
      case Part.Video other -> drop(other);
      case Part.File other -> drop(other);
      case Part.ToolResult other -> drop(other);
      case Part.Thinking other -> drop(other);
      case Part.Refusal other -> drop(other);
      case Part.Citation other -> drop(other);
      case Part.Logprobs other -> drop(other);
      case Part.ServerToolRun other -> drop(other);
      case Part.Unknown other -> drop(other);
    }
  }

  private void drop(Part part) {
    losses.dropped(TranslatedInputParts.name(part), "is not sent back to a model");
  }

  private void endThoughts(List<Part.Thinking> thoughts) {
    if (!thoughts.isEmpty()) {
      Json.Obj item =
          ResponsesReasoningItem.forUpstream(ResponsesReasoningItem.of(thoughts), losses);
      if (item != null) {
        items.add(item);
      }
      thoughts.clear();
    }
  }

  /** Writes a call; no arguments become an empty object, malformed ones stay unchanged. */
  private Json call(Part.ToolCall call) {
    Json.Str arguments = call.arguments().asString();
    boolean isEmpty = arguments.text().isBlank() || arguments.is("null");
    return typed("function_call")
        .put("call_id", id(call.id()))
        .put("name", names.toSafe(call.name()))
        .put("arguments", isEmpty ? Json.of("{}") : arguments)
        .build();
  }

  /** Shortens an id that is too long; a short id need only be consistent within this request. */
  private String id(String callId) {
    return callId.length() <= MAX_ID_LENGTH
        ? callId
        : shortenedIds.computeIfAbsent(callId, id -> "call_shortened_" + shortenedIds.size());
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }
}
