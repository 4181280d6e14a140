package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sees to it that every call has exactly one result in the turn after it, and every result a call
 * before it: upstreams refuse anything else, and callers cut conversations anywhere. Runs after
 * turns were merged, since a result may stand in any of the messages behind its call. Translation
 * fact sheet, cases 1 and 2.
 */
final class ToolResults {
  private ToolResults() {}

  static List<Turn> paired(List<Turn> turns, Losses losses) {
    var paired = new ArrayList<Turn>(turns.size() + 1);
    Map<String, Part.ToolCall> open = new LinkedHashMap<>();
    for (Turn turn : turns) {
      if (turn.role() == Role.SYSTEM) {
        paired.add(turn);
        continue;
      }
      if (turn.role() == Role.ASSISTANT) {
        answer(open, paired, losses); // two turns of the model with nothing of the user between
        turn.parts().forEach(part -> remember(part, open));
        paired.add(turn);
      } else {
        Turn user = results(turn, open, losses);
        if (!user.parts().isEmpty()) {
          paired.add(user);
        }
      }
    }
    return paired;
  }

  private static void remember(Part part, Map<String, Part.ToolCall> open) {
    if (part instanceof Part.ToolCall call) {
      open.put(call.id(), call);
    }
  }

  /** A turn of the user of nothing but results nobody gave. */
  private static void answer(Map<String, Part.ToolCall> open, List<Turn> paired, Losses losses) {
    if (!open.isEmpty()) {
      var missing = new ArrayList<Part>();
      open.values().forEach(call -> missing.add(missing(call, losses)));
      paired.add(new Turn(Role.USER, missing));
      open.clear();
    }
  }

  /** The results in the order of their calls, then the rest. */
  private static Turn results(Turn turn, Map<String, Part.ToolCall> open, Losses losses) {
    Map<String, Part> given = new LinkedHashMap<>();
    var rest = new ArrayList<Part>();
    for (Part part : turn.parts()) {
      if (!(part instanceof Part.ToolResult result)) {
        rest.add(part);
      } else if (!open.containsKey(result.callId())) {
        losses.dropped("a tool's result", "no call of the turn before has its id");
      } else if (given.putIfAbsent(result.callId(), result) != null) {
        losses.dropped("a tool's result", "its call has one already");
      }
    }
    var parts = new ArrayList<Part>();
    for (Part.ToolCall call : open.values()) {
      Part result = given.get(call.id());
      parts.add(result == null ? missing(call, losses) : result);
    }
    open.clear();
    parts.addAll(rest);
    return new Turn(turn.role(), parts);
  }

  private static Part missing(Part.ToolCall call, Losses losses) {
    losses.changed("a tool's call", "had no result: one was added that says so");
    return new Part.ToolResult(
        call.id(),
        List.of(new Part.Text("No result was given.")),
        Message.Content.STRING,
        true,
        Json.Obj.EMPTY,
        null);
  }
}
