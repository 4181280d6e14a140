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
 * numbered again. One instance serves one turn.
 */
final class TurnEvents {
  private static final int RUN_BY_GATEWAY = -1;

  /** Types of blocks and items that other events represent. */
  private static final Set<String> MODELLED_TYPES =
      Set.of(
          "text",
          "thinking",
          "redacted_thinking",
          "tool_use",
          "message",
          "reasoning",
          "function_call");

  private final Predicate<String> isGatewayTool;
  private final boolean isFirstTurn;
  private final Map<Integer, Integer> callerIndexes = new HashMap<>();
  private final Map<Integer, List<Event.ToolCallDelta>> unnamedPieces = new HashMap<>();
  private final Set<Long> otherContentIndexes =
      new HashSet<>(); // the upstream's indexes of such blocks
  private int callerCalls;

  /**
   * @param isGatewayTool whether the gateway runs the function of this name
   * @param isFirstTurn whether the answer begins with this turn
   */
  TurnEvents(Predicate<String> isGatewayTool, boolean isFirstTurn) {
    this.isGatewayTool = isGatewayTool;
    this.isFirstTurn = isFirstTurn;
  }

  /** Returns what the caller sees of an event that does not end the turn, in order. */
  List<Event> visibleEvents(Event event) {
    return switch (event) {
      case Event.ToolCallDelta piece -> callEvents(piece);
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
      case Event.OtherContent e ->
          isChatChunk(e.frame()) || isOtherContent(e.frame()) ? List.of(e) : List.of();
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

  /**
   * Keeps the frame if it announces content without a typed event, as the first frame of some
   * upstreams does.
   */
  private List<Event> started(Event.Started event) {
    if (event.frame() != null && isOtherContent(event.frame())) {
      return List.of(event);
    }
    return isFirstTurn ? List.of(new Event.Started(null)) : List.of();
  }

  /**
   * Returns whether a frame belongs to a block or item without a typed event, which is passed on
   * whole.
   */
  private boolean isOtherContent(Json.Obj frame) {
    String type = frame.text("type");
    boolean isResponses = type != null && type.startsWith("response.");
    long index = frame.longValue(isResponses ? "output_index" : "index", -1);
    Json.Obj block = frame.object(isResponses ? "item" : "content_block");
    boolean isStart =
        "response.output_item.added".equals(type) || "content_block_start".equals(type);
    if (isStart && block != null && !MODELLED_TYPES.contains(String.valueOf(block.text("type")))) {
      otherContentIndexes.add(index);
    }
    return index >= 0 && otherContentIndexes.contains(index);
  }

  /** Returns whether a frame is a chat chunk, which has no index that depends on other frames. */
  private static boolean isChatChunk(Json.Obj frame) {
    return frame.list("choices") != null;
  }

  /** Returns the pieces to show. The name, which normally comes first, tells who runs a call. */
  private List<Event> callEvents(Event.ToolCallDelta piece) {
    Integer knownIndex = callerIndexes.get(piece.index());
    if (knownIndex != null) {
      return knownIndex == RUN_BY_GATEWAY ? List.of() : List.of(withIndex(knownIndex, piece));
    }
    List<Event.ToolCallDelta> pieces =
        unnamedPieces.computeIfAbsent(piece.index(), index -> new ArrayList<>());
    pieces.add(piece);
    @Nullable String name = piece.name();
    if (name == null) {
      return List.of();
    }
    unnamedPieces.remove(piece.index());
    if (isGatewayTool.test(name)) {
      callerIndexes.put(piece.index(), RUN_BY_GATEWAY);
      return List.of();
    }
    int newIndex = callerCalls++;
    callerIndexes.put(piece.index(), newIndex);
    return pieces.stream().map(pending -> withIndex(newIndex, pending)).toList();
  }

  private static Event withIndex(int index, Event.ToolCallDelta piece) {
    return new Event.ToolCallDelta(index, piece.id(), piece.name(), piece.arguments(), null);
  }
}
