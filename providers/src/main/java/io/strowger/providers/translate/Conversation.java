package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's conversation in the form from which the bodies of all upstream dialects are written:
 * the system texts, then alternating turns. The results of all calls of a turn stand at the
 * beginning of the next user turn, whichever messages they came in; every call has a result and
 * every result a call. Immutable.
 *
 * <p>Translation fact sheet, sections 0, 1 and 4, cases 1, 2, 3, 5, 6, 21 and 22.
 */
public final class Conversation {
  private final List<Part.Text> system;
  private final List<ConversationTurn> turns;

  private Conversation(List<Part.Text> system, List<ConversationTurn> turns) {
    this.system = List.copyOf(system);
    this.turns = List.copyOf(turns);
  }

  /**
   * Returns the conversation of a request.
   *
   * @param rules the rules of the upstream's dialect
   * @param losses receives what the dialect cannot express
   */
  public static Conversation of(InferenceRequest request, ConversationRules rules, Losses losses) {
    var collector = new TurnCollector(rules, losses);
    Message instructions = request.instructions();
    if (instructions != null) {
      collector.addInstructions(instructions);
    }
    request.messages().forEach(collector::addMessage);
    return new Conversation(collector.system, ToolResults.pair(collector.turns.turns(), losses));
  }

  /** Returns the non-blank system texts from the beginning, in order; may be empty. */
  public List<Part.Text> system() {
    return system;
  }

  /** Returns the turns; consecutive turns have different roles. */
  public List<ConversationTurn> turns() {
    return turns;
  }

  /** The members that chat upstreams add to a message and callers send back. */
  private static final List<String> CHAT_EXTRAS = List.of("images", "audio", "annotations");

  /** Sorts the parts of the messages into turns. */
  private static final class TurnCollector {
    private final ConversationRules rules;
    private final Losses losses;
    private final List<Part.Text> system = new ArrayList<>();
    private final TurnList turns = new TurnList();
    private boolean turnsBegun;
    private @Nullable String pendingName; // to be written before the next text

    TurnCollector(ConversationRules rules, Losses losses) {
      this.rules = rules;
      this.losses = losses;
    }

    void addInstructions(Message message) {
      for (Part part : message.parts()) {
        if (!(part instanceof Part.Text text)) {
          losses.dropped("system", "a system message can contain only text");
        } else if (!isBlank(text)) {
          system.add(applyName(text));
        }
      }
    }

    void addMessage(Message message) {
      switch (message.role()) {
        case SYSTEM, DEVELOPER -> addSystemMessage(message);
        case USER, TOOL -> addParts(Role.USER, message);
        case ASSISTANT -> addParts(Role.ASSISTANT, message);
      }
    }

    private void addSystemMessage(Message message) {
      if (turnsBegun && rules.allowsLateSystem()) {
        addParts(Role.SYSTEM, message);
        return;
      }
      if (turnsBegun) {
        losses.changed("system", "was moved from the middle of the conversation to its beginning");
      }
      applyName(message);
      addInstructions(message);
      dropPendingName();
    }

    private void addParts(Role role, Message message) {
      turnsBegun = true;
      applyName(message);
      message.parts().forEach(part -> addPart(role, part));
      dropPendingName();
      for (String extra : CHAT_EXTRAS) {
        if (message.extras().get(extra) instanceof Json value && !(value instanceof Json.Null)) {
          losses.dropped("messages." + extra, "has no form in this dialect");
        }
      }
    }

    private void applyName(Message message) {
      pendingName = rules.allowsNames() ? null : message.extras().text("name");
    }

    private void dropPendingName() {
      if (pendingName != null) {
        losses.dropped("name", "there is no text to write it before");
        pendingName = null;
      }
    }

    private void addPart(Role role, Part part) {
      switch (part) {
        case Part.Text text -> {
          if (!isBlank(text)) {
            turns.add(role, applyName(text));
          }
        }
        case Part.Image p -> turns.add(role, p);
        case Part.Audio p -> turns.add(role, p);
        case Part.Video p -> turns.add(role, p);
        case Part.File p -> turns.add(role, p);
        case Part.ToolCall call -> addIfRole(Role.ASSISTANT, role, call, "a tool's call");
        case Part.ToolResult result -> addIfRole(Role.USER, role, clean(result), "a tool's result");
        case Part.Thinking thinking -> addThinking(role, thinking);
        case Part.Refusal refusal -> addRefusal(role, refusal);
        case Part.Citation c -> losses.dropped("citations", "are not sent back to an upstream");
        case Part.Logprobs l -> losses.dropped("logprobs", "are not sent back to an upstream");
        case Part.ServerToolRun run ->
            losses.dropped("reasoning.server_tool_call", "its tool is not declared any more");
        case Part.Unknown unknown -> {
          Part document = asDocument(unknown);
          if (document != null) {
            turns.add(role, document);
          }
        }
      }
    }

    private void addIfRole(Role requiredRole, Role role, Part part, String partName) {
      if (role == requiredRole) {
        turns.add(role, part);
      } else {
        losses.dropped(partName, "is in a message of another role");
      }
    }

    /** Writes a pending name before the text, for dialects without names. */
    private Part.Text applyName(Part.Text text) {
      String speaker = pendingName;
      if (speaker == null) {
        return text;
      }
      pendingName = null;
      losses.changed("name", "was written before the text");
      return text.withText(speaker + ": " + text.text().text());
    }

    /** Returns the document in an unknown part; null, after reporting a loss, if it has none. */
    private Part.@Nullable File asDocument(Part.Unknown unknown) {
      Part.File document = Documents.asFile(unknown);
      if (document == null) {
        String type = unknown.type().isEmpty() ? "a part without type" : unknown.type();
        losses.dropped(type, "has no form in this dialect");
      }
      return document;
    }

    /** Removes blank texts and parts without a form from a tool's result. */
    private Part.ToolResult clean(Part.ToolResult result) {
      if (result.content().stream().allMatch(TurnCollector::isClean)) {
        return result;
      }
      var content = new ArrayList<Part>();
      for (Part part : result.content()) {
        if (isClean(part)) {
          content.add(part);
        } else if (part instanceof Part.Unknown unknown
            && asDocument(unknown) instanceof Part.File f) {
          content.add(f);
        } else if (!(part instanceof Part.Text) && !(part instanceof Part.Unknown)) {
          losses.dropped("a part of a tool's result", "is of a kind that no tool returns");
        }
      }
      return new Part.ToolResult(
          result.callId(), content, result.form(), result.isError(), result.extras(), null);
    }

    private static boolean isClean(Part part) {
      return switch (part) {
        case Part.Text text -> !isBlank(text);
        case Part.Image p -> true;
        case Part.Audio p -> true;
        case Part.Video p -> true;
        case Part.File p -> true;
        case Part.ToolCall p -> false;
        case Part.ToolResult p -> false;
        case Part.Thinking p -> false;
        case Part.Refusal p -> false;
        case Part.Citation p -> false;
        case Part.Logprobs p -> false;
        case Part.ServerToolRun p -> false;
        case Part.Unknown p -> false;
      };
    }

    /**
     * Adds reasoning of the upstream's vendor if it is signed, encrypted or a summary. Unsigned
     * text is left out, since no vendor accepts it; signed reasoning is kept even if it is empty.
     */
    private void addThinking(Role role, Part.Thinking thinking) {
      boolean isSignedOrEncrypted =
          thinking.signature() != null || thinking.kind() == Part.Thinking.Kind.ENCRYPTED;
      if (rules.reasoningFormat() == null) {
        losses.dropped("reasoning", "cannot be sent back in this dialect");
      } else if (!rules.reasoningFormat().equals(thinking.format())) {
        losses.dropped("reasoning", "comes from another vendor, or from an unknown one");
      } else if (!isSignedOrEncrypted && thinking.kind() == Part.Thinking.Kind.TEXT) {
        losses.dropped("reasoning", "has no signature");
      } else {
        addIfRole(Role.ASSISTANT, role, thinking, "reasoning");
      }
    }

    private void addRefusal(Role role, Part.Refusal refusal) {
      if (!refusal.text().text().isBlank()) {
        losses.changed("refusal", "was sent as plain text");
        turns.add(role, new Part.Text(refusal.text(), Json.Obj.EMPTY, null));
      }
    }

    /** Returns whether a text is blank; upstreams refuse blank texts. */
    private static boolean isBlank(Part.Text text) {
      return text.text().isEmpty() || text.text().text().isBlank();
    }
  }
}
