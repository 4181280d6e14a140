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
 * A request's conversation in the form every upstream dialect is written from: what the system
 * says, then turns that alternate. All results of a turn's calls stand together at the beginning of
 * the next turn of the user, whatever messages they came in; every call has a result and every
 * result a call. Immutable.
 *
 * <p>Translation fact sheet, sections 0, 1 and 4, cases 1, 2, 3, 5, 6, 21 and 22.
 */
public final class Conversation {
  private final List<Part.Text> system;
  private final List<Turn> turns;

  private Conversation(List<Part.Text> system, List<Turn> turns) {
    this.system = List.copyOf(system);
    this.turns = List.copyOf(turns);
  }

  /**
   * @param manner of the upstream's dialect
   * @param losses is told what does not fit it
   */
  public static Conversation of(InferenceRequest request, Manner manner, Losses losses) {
    var reading = new Reading(manner, losses);
    Message instructions = request.instructions();
    if (instructions != null) {
      reading.instructions(instructions);
    }
    request.messages().forEach(reading::message);
    return new Conversation(reading.system, ToolResults.paired(reading.turns(), losses));
  }

  /** What the system says at the beginning, in order; empty when nothing. None is blank. */
  public List<Part.Text> system() {
    return system;
  }

  /** The rest; never two turns of one role in a row. */
  public List<Turn> turns() {
    return turns;
  }

  /** Turns while they are collected; neighbours of one role become one. */
  private static final class Reading {
    private final Manner manner;
    private final Losses losses;
    private final List<Part.Text> system = new ArrayList<>();
    private final List<Turn> turns = new ArrayList<>();
    private @Nullable Role role;
    private final List<Part> results = new ArrayList<>();
    private final List<Part> said = new ArrayList<>();

    Reading(Manner manner, Losses losses) {
      this.manner = manner;
      this.losses = losses;
    }

    void instructions(Message message) {
      message.parts().forEach(part -> addTo(system, part));
    }

    void message(Message message) {
      switch (message.role()) {
        case SYSTEM, DEVELOPER -> systemMessage(message);
        case USER, TOOL -> spoken(Role.USER, message);
        case ASSISTANT -> spoken(Role.ASSISTANT, message);
      }
    }

    private void systemMessage(Message message) {
      if (role == null) {
        instructions(message);
      } else if (manner.lateSystem()) {
        spoken(Role.SYSTEM, message);
      } else {
        losses.changed("system", "in the middle of the conversation: moved to its beginning");
        instructions(message);
      }
    }

    private void addTo(List<Part.Text> texts, Part part) {
      if (part instanceof Part.Text text) {
        if (!isBlank(text)) {
          texts.add(text);
        }
      } else {
        losses.dropped("system", "only text is taken there");
      }
    }

    private void spoken(Role by, Message message) {
      if (role != by) {
        end();
        role = by;
      }
      int before = said.size();
      message.parts().forEach(this::part);
      if (!manner.names() && message.extras().get("name") instanceof Json.Str name) {
        prefix(name.text(), before);
      }
    }

    /** A dialect without names has the name before what was said. */
    private void prefix(String name, int from) {
      for (int i = from; i < said.size(); i++) {
        if (said.get(i) instanceof Part.Text text) {
          losses.changed("name", "written before the text");
          said.set(i, text.withText(name + ": " + text.text().text()));
          return;
        }
      }
    }

    private void part(Part part) {
      switch (part) {
        case Part.Text text -> {
          if (!isBlank(text)) {
            said.add(text);
          }
        }
        case Part.Image p -> said.add(p);
        case Part.Audio p -> said.add(p);
        case Part.Video p -> said.add(p);
        case Part.File p -> said.add(p);
        case Part.ToolCall p -> said.add(p);
        case Part.ToolResult result -> results.add(result);
        case Part.Thinking thinking -> thinking(thinking);
        case Part.Refusal refusal -> refusal(refusal);
        case Part.Citation c -> losses.dropped("citations", "an upstream is not sent its own");
        case Part.Logprobs l -> losses.dropped("logprobs", "an upstream is not sent its own");
        case Part.ServerToolRun run ->
            losses.dropped("reasoning.server_tool_call", "its tool is not declared any more");
        case Part.Unknown unknown -> unknown(unknown, said);
      }
    }

    /** A document that is text has no form of its own where it was read; here it is a file. */
    private void unknown(Part.Unknown unknown, List<Part> into) {
      Part.File document = Documents.asFile(unknown);
      if (document == null) {
        losses.dropped(named(unknown), "has no form in this dialect");
      } else {
        into.add(document);
      }
    }

    private static String named(Part.Unknown unknown) {
      return unknown.type().isEmpty() ? "a part without type" : unknown.type();
    }

    /**
     * Only goes back to the vendor it is of, and only what it can prove: a thought in plain words,
     * unsigned, is none a vendor takes; one that is signed is kept even when it says nothing.
     */
    private void thinking(Part.Thinking thinking) {
      boolean proven =
          thinking.signature() != null || thinking.kind() == Part.Thinking.Kind.ENCRYPTED;
      if (manner.reasoning() == null) {
        losses.dropped("reasoning", "this dialect takes none back");
      } else if (!manner.reasoning().equals(thinking.format())) {
        losses.dropped("reasoning", "was signed by another vendor, or by nobody");
      } else if (!proven && thinking.kind() == Part.Thinking.Kind.TEXT) {
        losses.dropped("reasoning", "has no signature");
      } else {
        said.add(thinking);
      }
    }

    private void refusal(Part.Refusal refusal) {
      if (!refusal.text().text().isBlank()) {
        losses.changed("refusal", "is plain text here");
        said.add(new Part.Text(refusal.text(), Json.Obj.EMPTY, null));
      }
    }

    private void end() {
      Role by = role;
      if (by != null && results.size() + said.size() > 0) {
        results.addAll(said);
        turns.add(new Turn(by, results));
      }
      results.clear();
      said.clear();
    }

    List<Turn> turns() {
      end();
      return merged(turns);
    }

    /** A message that came to nothing may have parted two of one role. */
    private static List<Turn> merged(List<Turn> turns) {
      var merged = new ArrayList<Turn>(turns.size());
      for (Turn turn : turns) {
        Turn last = merged.isEmpty() ? null : merged.getLast();
        if (last != null && last.role() == turn.role()) {
          merged.set(merged.size() - 1, joined(last, turn));
        } else {
          merged.add(turn);
        }
      }
      return merged;
    }

    private static Turn joined(Turn one, Turn other) {
      var results = new ArrayList<Part>();
      var rest = new ArrayList<Part>();
      for (Turn turn : List.of(one, other)) {
        for (Part part : turn.parts()) {
          (part instanceof Part.ToolResult ? results : rest).add(part);
        }
      }
      results.addAll(rest);
      return new Turn(one.role(), results);
    }

    /** Upstreams refuse a text that says nothing. */
    private static boolean isBlank(Part.Text text) {
      return text.text().isEmpty() || text.text().text().isBlank();
    }
  }
}
