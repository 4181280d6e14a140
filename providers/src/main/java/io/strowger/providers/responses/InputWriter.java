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
  private static final int LONGEST_ID = 64;

  private final SafeNames names;
  private final Losses losses;
  private final TranslatedInputParts parts;
  private final List<Json> items = new ArrayList<>();
  private final Map<String, String> shortened = new HashMap<>();
  private @Nullable String instructions;

  InputWriter(Endpoint endpoint, SafeNames names, Losses losses) {
    this.names = names;
    this.losses = losses;
    this.parts = new TranslatedInputParts(endpoint, losses);
  }

  void write(Conversation conversation) {
    system(conversation);
    conversation.turns().forEach(this::turn);
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
  private void system(Conversation conversation) {
    List<Part.Text> system = conversation.system();
    if (system.isEmpty()) {
      return;
    }
    boolean marked = system.stream().anyMatch(TranslatedInputParts::isMarked);
    if (marked || conversation.turns().isEmpty()) {
      said(Message.Role.SYSTEM, system);
    } else {
      instructions =
          system.stream().map(text -> text.text().text()).collect(Collectors.joining("\n\n"));
    }
  }

  private void turn(ConversationTurn turn) {
    if (turn.role() == Message.Role.ASSISTANT) {
      answered(turn.parts());
      return;
    }
    var said = new ArrayList<Part>();
    for (Part part : turn.parts()) {
      if (part instanceof Part.ToolResult result) {
        result(result);
      } else {
        said.add(part);
      }
    }
    said(turn.role(), said);
  }

  private void said(Message.Role role, List<? extends Part> said) {
    Json content = parts.content(said);
    if (content != null) {
      items.add(Json.object().put("role", role.wireName()).put("content", content).build());
    }
  }

  private void result(Part.ToolResult result) {
    Json output = parts.content(result.content());
    if (result.error()) {
      losses.changed("is_error", "only the text of the result says that it failed");
    }
    if (result.extras().get("cache_control") instanceof Json.Obj) {
      losses.dropped("cache_control", "only texts take a mark here");
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
  private void answered(List<Part> said) {
    var thoughts = new ArrayList<Part.Thinking>();
    for (Part part : said) {
      if (part instanceof Part.Thinking thought) {
        if (!thoughts.isEmpty() && !ResponsesReasoningItem.together(thoughts.getLast(), thought)) {
          endThoughts(thoughts);
        }
        thoughts.add(thought);
      } else {
        endThoughts(thoughts);
        answered(part);
      }
    }
    if (!thoughts.isEmpty()) {
      losses.dropped("reasoning", "nothing it was thought for comes after it");
    }
  }

  private void answered(Part part) {
    switch (part) {
      case Part.Text text ->
          items.add(Json.object().put("role", "assistant").put("content", text.text()).build());
      case Part.ToolCall call -> items.add(call(call));
      case Part.Image other -> notSent(other);
      case Part.Audio other -> notSent(other);
      case Part.Video other -> notSent(other);
      case Part.File other -> notSent(other);
      case Part.ToolResult other -> notSent(other);
      case Part.Thinking other -> notSent(other);
      case Part.Refusal other -> notSent(other);
      case Part.Citation other -> notSent(other);
      case Part.Logprobs other -> notSent(other);
      case Part.ServerToolRun other -> notSent(other);
      case Part.Unknown other -> notSent(other);
    }
  }

  private void notSent(Part part) {
    losses.dropped(TranslatedInputParts.name(part), "a model is not sent its own");
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
    boolean none = arguments.text().isBlank() || arguments.is("null");
    return typed("function_call")
        .put("call_id", id(call.id()))
        .put("name", names.safe(call.name()))
        .put("arguments", none ? Json.of("{}") : arguments)
        .build();
  }

  /** Shortens an id that is too long; it need only be consistent within this request. */
  private String id(String given) {
    return given.length() <= LONGEST_ID
        ? given
        : shortened.computeIfAbsent(given, id -> "call_shortened_" + shortened.size());
  }

  private static Json.Obj.Builder typed(String type) {
    return Json.object().put("type", type);
  }
}
