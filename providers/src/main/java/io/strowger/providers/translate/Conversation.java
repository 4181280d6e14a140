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
 * the system texts, then alternating turns. The next user turn begins with the results of all calls
 * of a turn, whichever messages they came in; every call has a result and every result a call.
 * Immutable.
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
   * @param manner the rules of the upstream's dialect
   * @param losses receives what the dialect cannot express
   */
  public static Conversation of(InferenceRequest request, ConversationRules manner, Losses losses) {
    var reading = new Reading(manner, losses);
    Message instructions = request.instructions();
    if (instructions != null) {
      reading.instructions(instructions);
    }
    request.messages().forEach(reading::message);
    return new Conversation(reading.system, ToolResults.paired(reading.turns.turns(), losses));
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
  private static final List<String> BESIDE = List.of("images", "audio", "annotations");

  /** Sorts the parts of the messages into turns. */
  private static final class Reading {
    private final ConversationRules manner;
    private final Losses losses;
    private final List<Part.Text> system = new ArrayList<>();
    private final TurnList turns = new TurnList();
    private boolean begun;
    private @Nullable String name; // to be written before the next text

    Reading(ConversationRules manner, Losses losses) {
      this.manner = manner;
      this.losses = losses;
    }

    void instructions(Message message) {
      for (Part part : message.parts()) {
        if (!(part instanceof Part.Text text)) {
          losses.dropped("system", "only text is taken there");
        } else if (!isBlank(text)) {
          system.add(named(text));
        }
      }
    }

    void message(Message message) {
      switch (message.role()) {
        case SYSTEM, DEVELOPER -> systemMessage(message);
        case USER, TOOL -> spoken(Role.USER, message);
        case ASSISTANT -> spoken(Role.ASSISTANT, message);
      }
    }

    private void systemMessage(Message message) {
      if (begun && manner.lateSystem()) {
        spoken(Role.SYSTEM, message);
        return;
      }
      if (begun) {
        losses.changed("system", "in the middle of the conversation: moved to its beginning");
      }
      named(message);
      instructions(message);
      unnamed();
    }

    private void spoken(Role by, Message message) {
      begun = true;
      named(message);
      message.parts().forEach(part -> part(by, part));
      unnamed();
      for (String beside : BESIDE) {
        if (message.extras().get(beside) instanceof Json said && !(said instanceof Json.Null)) {
          losses.dropped("messages." + beside, "has no form in this dialect");
        }
      }
    }

    private void named(Message message) {
      name = manner.names() ? null : message.extras().text("name");
    }

    private void unnamed() {
      if (name != null) {
        losses.dropped("name", "there is no text to write it before");
        name = null;
      }
    }

    private void part(Role by, Part part) {
      switch (part) {
        case Part.Text text -> {
          if (!isBlank(text)) {
            turns.add(by, named(text));
          }
        }
        case Part.Image p -> turns.add(by, p);
        case Part.Audio p -> turns.add(by, p);
        case Part.Video p -> turns.add(by, p);
        case Part.File p -> turns.add(by, p);
        case Part.ToolCall call -> onlyOf(Role.ASSISTANT, by, call, "a tool's call");
        case Part.ToolResult result -> onlyOf(Role.USER, by, cleaned(result), "a tool's result");
        case Part.Thinking thinking -> thinking(by, thinking);
        case Part.Refusal refusal -> refusal(by, refusal);
        case Part.Citation c -> losses.dropped("citations", "an upstream is not sent its own");
        case Part.Logprobs l -> losses.dropped("logprobs", "an upstream is not sent its own");
        case Part.ServerToolRun run ->
            losses.dropped("reasoning.server_tool_call", "its tool is not declared any more");
        case Part.Unknown unknown -> {
          Part known = known(unknown);
          if (known != null) {
            turns.add(by, known);
          }
        }
      }
    }

    private void onlyOf(Role owner, Role by, Part part, String what) {
      if (by == owner) {
        turns.add(by, part);
      } else {
        losses.dropped(what, "stood in a message of the other side");
      }
    }

    /** Writes a pending name before the text, for dialects without names. */
    private Part.Text named(Part.Text text) {
      String speaker = name;
      if (speaker == null) {
        return text;
      }
      name = null;
      losses.changed("name", "written before the text");
      return text.withText(speaker + ": " + text.text().text());
    }

    /** Returns the document that an unmodelled part contains; null, with a loss, for none. */
    private Part.@Nullable File known(Part.Unknown unknown) {
      Part.File document = Documents.asFile(unknown);
      if (document == null) {
        String type = unknown.type().isEmpty() ? "a part without type" : unknown.type();
        losses.dropped(type, "has no form in this dialect");
      }
      return document;
    }

    /** Removes blank texts and parts without a form from a tool's result. */
    private Part.ToolResult cleaned(Part.ToolResult result) {
      if (result.content().stream().allMatch(Reading::isClean)) {
        return result;
      }
      var content = new ArrayList<Part>();
      for (Part part : result.content()) {
        if (isClean(part)) {
          content.add(part);
        } else if (part instanceof Part.Unknown unknown && known(unknown) instanceof Part.File f) {
          content.add(f);
        } else if (!(part instanceof Part.Text) && !(part instanceof Part.Unknown)) {
          losses.dropped("a part of a tool's result", "is nothing a tool gives");
        }
      }
      return new Part.ToolResult(
          result.callId(), content, result.form(), result.error(), result.extras(), null);
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
    private void thinking(Role by, Part.Thinking thinking) {
      boolean proven =
          thinking.signature() != null || thinking.kind() == Part.Thinking.Kind.ENCRYPTED;
      if (manner.reasoning() == null) {
        losses.dropped("reasoning", "this dialect takes none back");
      } else if (!manner.reasoning().equals(thinking.format())) {
        losses.dropped("reasoning", "was signed by another vendor, or by nobody");
      } else if (!proven && thinking.kind() == Part.Thinking.Kind.TEXT) {
        losses.dropped("reasoning", "has no signature");
      } else {
        onlyOf(Role.ASSISTANT, by, thinking, "reasoning");
      }
    }

    private void refusal(Role by, Part.Refusal refusal) {
      if (!refusal.text().text().isBlank()) {
        losses.changed("refusal", "is plain text here");
        turns.add(by, new Part.Text(refusal.text(), Json.Obj.EMPTY, null));
      }
    }

    /** Returns whether a text is blank; upstreams refuse blank texts. */
    private static boolean isBlank(Part.Text text) {
      return text.text().isEmpty() || text.text().text().isBlank();
    }
  }
}
