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
  private final TurnList output = new TurnList();

  /**
   * The ids of the open calls as they are sent, in order, with the results; null while a call has
   * none.
   */
  private final Map<String, @Nullable Part> openCalls = new LinkedHashMap<>();

  /** The ids that are sent for an id of the caller; several when several calls have that id. */
  private final Map<String, Deque<String>> sentIds = new HashMap<>();

  /**
   * The system parts between a call and its result, where upstreams refuse them; they are added
   * after the result.
   */
  private final List<Part> deferredSystem = new ArrayList<>();

  private ToolResults(Losses losses) {
    this.losses = losses;
  }

  static List<ConversationTurn> pair(List<ConversationTurn> turns, Losses losses) {
    var results = new ToolResults(losses);
    turns.forEach(results::addTurn);
    results.closeCalls();
    return results.output.turns();
  }

  private void addTurn(ConversationTurn turn) {
    switch (turn.role()) {
      case SYSTEM, DEVELOPER -> {
        if (openCalls.isEmpty()) {
          output.addAll(turn.role(), turn.parts());
        } else {
          losses.changed(
              "system", "was moved from between a call and its result to after the result");
          deferredSystem.addAll(turn.parts());
        }
      }
      case ASSISTANT -> {
        closeCalls(); // if two turns of the model have no turn of the user between them
        turn.parts().forEach(this::addAssistantPart);
      }
      case USER, TOOL -> {
        turn.parts().forEach(this::addResult);
        closeCalls();
        for (Part part : turn.parts()) {
          if (!(part instanceof Part.ToolResult)) {
            output.add(Role.USER, part);
          }
        }
      }
    }
  }

  private void addAssistantPart(Part part) {
    output.add(Role.ASSISTANT, part instanceof Part.ToolCall call ? openCall(call) : part);
  }

  private Part.ToolCall openCall(Part.ToolCall call) {
    Deque<String> ids = sentIds.computeIfAbsent(call.id(), callId -> new ArrayDeque<>());
    String id = call.id();
    for (int i = ids.size() + 1; openCalls.containsKey(id); i++) {
      id = call.id() + "-" + i;
    }
    openCalls.put(id, null);
    ids.add(id);
    if (id.equals(call.id())) {
      return call;
    }
    losses.changed("a tool call's id", "two calls of one turn had the same id");
    return new Part.ToolCall(id, call.name(), call.arguments(), call.extras(), null);
  }

  private void addResult(Part part) {
    if (!(part instanceof Part.ToolResult result)) {
      return;
    }
    Deque<String> ids = sentIds.get(result.callId());
    if (ids == null) {
      losses.dropped("a tool's result", "no call of the turn before has its id");
    } else if (ids.isEmpty()) {
      losses.dropped("a tool's result", "its call has one already");
    } else {
      String id = ids.remove();
      openCalls.put(id, id.equals(result.callId()) ? result : withId(id, result));
    }
  }

  private static Part withId(String id, Part.ToolResult result) {
    return new Part.ToolResult(
        id, result.content(), result.form(), result.isError(), result.extras(), null);
  }

  /** Adds the results in call order, a substitute for each missing one, then the system parts. */
  private void closeCalls() {
    openCalls.forEach(
        (id, result) ->
            output.add(Role.USER, Objects.requireNonNullElseGet(result, () -> missingResult(id))));
    openCalls.clear();
    sentIds.clear();
    output.addAll(Role.SYSTEM, deferredSystem);
    deferredSystem.clear();
  }

  private Part missingResult(String id) {
    losses.changed("a tool's call", "had no result: one was added that says so");
    return new Part.ToolResult(
        id,
        List.of(new Part.Text("No result was given.")),
        Message.ContentForm.STRING,
        true,
        Json.Obj.EMPTY,
        null);
  }
}
