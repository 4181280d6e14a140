package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that every call has exactly one result in the next turn, and that every result has a call
 * before it: upstreams refuse anything else, and callers cut conversations anywhere. Runs after
 * turns were merged, since a result may be in any of the messages after its call. Translation fact
 * sheet, cases 1 and 2.
 */
final class ToolResults {
  private final Losses losses;
  private final TurnList paired = new TurnList();

  /**
   * The ids of the open calls as they are sent, in order, with the results; null while a call has
   * none.
   */
  private final Map<String, @Nullable Part> open = new LinkedHashMap<>();

  /** The ids that are sent for an id of the caller; several when several calls have that id. */
  private final Map<String, Deque<String>> leaving = new HashMap<>();

  /**
   * The system parts between a call and its result, where upstreams refuse them; they are added
   * after the result.
   */
  private final List<Part> interjected = new ArrayList<>();

  private ToolResults(Losses losses) {
    this.losses = losses;
  }

  static List<ConversationTurn> paired(List<ConversationTurn> turns, Losses losses) {
    var results = new ToolResults(losses);
    turns.forEach(results::turn);
    results.answer();
    return results.paired.turns();
  }

  private void turn(ConversationTurn turn) {
    switch (turn.role()) {
      case SYSTEM, DEVELOPER -> {
        if (open.isEmpty()) {
          paired.addAll(turn.role(), turn.parts());
        } else {
          losses.changed("system", "between a call and its result: moved behind the result");
          interjected.addAll(turn.parts());
        }
      }
      case ASSISTANT -> {
        answer(); // for two turns of the model without one of the user between
        turn.parts().forEach(this::said);
      }
      case USER, TOOL -> {
        turn.parts().forEach(this::result);
        answer();
        for (Part part : turn.parts()) {
          if (!(part instanceof Part.ToolResult)) {
            paired.add(Role.USER, part);
          }
        }
      }
    }
  }

  private void said(Part part) {
    paired.add(Role.ASSISTANT, part instanceof Part.ToolCall call ? opened(call) : part);
  }

  private Part.ToolCall opened(Part.ToolCall call) {
    Deque<String> same = leaving.computeIfAbsent(call.id(), given -> new ArrayDeque<>());
    String id = call.id();
    for (int i = same.size() + 1; open.containsKey(id); i++) {
      id = call.id() + "-" + i;
    }
    open.put(id, null);
    same.add(id);
    if (id.equals(call.id())) {
      return call;
    }
    losses.changed("a tool call's id", "two calls of one turn had the same");
    return new Part.ToolCall(id, call.name(), call.arguments(), call.extras(), null);
  }

  private void result(Part part) {
    if (!(part instanceof Part.ToolResult result)) {
      return;
    }
    Deque<String> ids = leaving.get(result.callId());
    if (ids == null) {
      losses.dropped("a tool's result", "no call of the turn before has its id");
    } else if (ids.isEmpty()) {
      losses.dropped("a tool's result", "its call has one already");
    } else {
      String id = ids.remove();
      open.put(id, id.equals(result.callId()) ? result : of(id, result));
    }
  }

  private static Part of(String id, Part.ToolResult result) {
    return new Part.ToolResult(
        id, result.content(), result.form(), result.error(), result.extras(), null);
  }

  /** Adds the results in call order, a substitute for each missing one, then the system parts. */
  private void answer() {
    open.forEach(
        (id, result) ->
            paired.add(Role.USER, Objects.requireNonNullElseGet(result, () -> missing(id))));
    open.clear();
    leaving.clear();
    paired.addAll(Role.SYSTEM, interjected);
    interjected.clear();
  }

  private Part missing(String id) {
    losses.changed("a tool's call", "had no result: one was added that says so");
    return new Part.ToolResult(
        id,
        List.of(new Part.Text("No result was given.")),
        Message.Content.STRING,
        true,
        Json.Obj.EMPTY,
        null);
  }
}
