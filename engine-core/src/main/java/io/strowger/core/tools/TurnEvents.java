package io.strowger.core.tools;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects what the caller sees of one turn's events: all but the calls that the gateway runs, and
 * without the frames of the upstream, which mention these calls. Calls that the caller runs are
 * numbered anew. One instance serves one turn.
 */
final class TurnEvents {
  private static final int RUN_HERE = -1;

  /** Types of blocks and items that other events represent. */
  private static final Set<String> MODELLED =
      Set.of(
          "text",
          "thinking",
          "redacted_thinking",
          "tool_use",
          "message",
          "reasoning",
          "function_call");

  private final Predicate<String> runsHere;
  private final boolean first;
  private final Map<Integer, Integer> places = new HashMap<>();
  private final Map<Integer, List<Event.ToolCallDelta>> unnamed = new HashMap<>();
  private final Set<Long> unmodelled = new HashSet<>(); // the upstream's indexes of such blocks
  private int callerCalls;

  /**
   * @param runsHere whether the gateway runs the function of this name
   * @param first whether the answer begins with this turn
   */
  TurnEvents(Predicate<String> runsHere, boolean first) {
    this.runsHere = runsHere;
    this.first = first;
  }

  /** Returns what the caller sees of an event that does not end the turn, in order. */
  List<Event> shown(Event event) {
    return switch (event) {
      case Event.ToolCallDelta piece -> call(piece);
      case Event.TextDelta e -> List.of(new Event.TextDelta(e.text(), null));
      case Event.ReasoningDelta e ->
          List.of(new Event.ReasoningDelta(e.text(), e.summary(), e.format(), e.id(), null));
      case Event.ReasoningSignature e ->
          List.of(new Event.ReasoningSignature(e.signature(), e.format(), null));
      case Event.EncryptedReasoning e ->
          List.of(new Event.EncryptedReasoning(e.data(), e.format(), e.id(), null));
      case Event.RefusalDelta e -> List.of(new Event.RefusalDelta(e.text(), null));
      case Event.Annotation e -> List.of(new Event.Annotation(e.body(), null));
      case Event.Logprobs e -> List.of(e);
      case Event.Started e -> started(e);
      case Event.UpstreamBodyEcho e -> List.of(e);
      case Event.AudioDelta e -> List.of(e);
      case Event.BlockStart e -> block(e);
      case Event.BlockStop e -> List.of(new Event.BlockStop(null));
      case Event.UnmodelledContent e ->
          standsAlone(e.frame()) || isUnmodelled(e.frame()) ? List.of(e) : List.of();
      case Event.ServerToolRun e -> List.of(e);
      case Event.UsageReport e -> List.of();
      case Event.Finished e -> List.of();
      case Event.CompleteAnswer e -> List.of();
      case Event.Failed e -> List.of(e);
    };
  }

  private static List<Event> block(Event.BlockStart start) {
    return start.kind() == Event.BlockStart.Kind.TOOL_CALL
        ? List.of()
        : List.of(new Event.BlockStart(start.kind(), null));
  }

  /** Keeps the frame if it announces unmodelled content, as that of some upstreams does. */
  private List<Event> started(Event.Started event) {
    if (event.frame() != null && isUnmodelled(event.frame())) {
      return List.of(event);
    }
    return first ? List.of(new Event.Started(null)) : List.of();
  }

  /** Returns whether a frame belongs to an unmodelled block or item, which is passed on whole. */
  private boolean isUnmodelled(Json.Obj frame) {
    String type = frame.text("type");
    boolean responses = type != null && type.startsWith("response.");
    long place = frame.whole(responses ? "output_index" : "index", -1);
    Json.Obj begun = frame.object(responses ? "item" : "content_block");
    boolean begins =
        "response.output_item.added".equals(type) || "content_block_start".equals(type);
    if (begins && begun != null && !MODELLED.contains(String.valueOf(begun.text("type")))) {
      unmodelled.add(place);
    }
    return place >= 0 && unmodelled.contains(place);
  }

  /** Returns whether a frame is a chat chunk, which has no index that depends on other frames. */
  private static boolean standsAlone(Json.Obj frame) {
    return frame.list("choices") != null;
  }

  /** Returns the pieces to show. The name, which normally comes first, tells who runs a call. */
  private List<Event> call(Event.ToolCallDelta piece) {
    Integer place = places.get(piece.index());
    if (place != null) {
      return place == RUN_HERE ? List.of() : List.of(at(place, piece));
    }
    List<Event.ToolCallDelta> before =
        unnamed.computeIfAbsent(piece.index(), index -> new ArrayList<>());
    before.add(piece);
    @Nullable String name = piece.name();
    if (name == null) {
      return List.of();
    }
    unnamed.remove(piece.index());
    if (runsHere.test(name)) {
      places.put(piece.index(), RUN_HERE);
      return List.of();
    }
    int shown = callerCalls++;
    places.put(piece.index(), shown);
    return before.stream().map(one -> at(shown, one)).toList();
  }

  private static Event at(int place, Event.ToolCallDelta piece) {
    return new Event.ToolCallDelta(place, piece.id(), piece.name(), piece.arguments(), null);
  }
}
