package io.strowger.providers.responses;

import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The function calls of one stream. The dialect numbers all items of an answer together; calls get
 * consecutive numbers from 0. The id and name of each call are passed on once, and so are its
 * arguments, whether the upstream sends them in pieces, at the end or twice. A stream with too many
 * calls fails.
 */
final class FunctionCalls {
  /** The limit of calls, which are all remembered; an answer has a handful. */
  private static final int MAX_CALLS = 10_000;

  private static final Json.Str EMPTY = Json.of("");

  private final SafeNames names;
  private final Consumer<Event> out;
  private final Map<Long, StartedCall> byItem = new HashMap<>();
  private @Nullable StartedCall last;

  /** A call that began. */
  private static final class StartedCall {
    private final int index;
    private boolean hasArguments;

    StartedCall(int index) {
      this.index = index;
    }
  }

  /**
   * @param names maps the upstream's tool names to the caller's
   * @param out receives the events
   */
  FunctionCalls(SafeNames names, Consumer<Event> out) {
    this.names = names;
    this.out = out;
  }

  /** Returns whether a call has begun. */
  boolean hasCalls() {
    return !byItem.isEmpty();
  }

  /** Begins a call whose arguments come later. */
  void begin(Json.Obj frame, Json.Obj item) {
    if (byItem.containsKey(itemIndex(frame))) {
      out.accept(new Event.BlockStop(frame));
    } else {
      start(frame, item, EMPTY);
    }
  }

  /** Passes on more arguments; returns false when no call has begun for the item. */
  boolean addArguments(Json.Obj frame) {
    StartedCall call = byItem.get(itemIndex(frame));
    if (call == null || !(frame.get("delta") instanceof Json.Str piece)) {
      return false;
    }
    call.hasArguments = call.hasArguments || !piece.isEmpty();
    send(call, piece, frame);
    return true;
  }

  /**
   * Handles the frame that repeats all arguments; returns false when no call has begun for the
   * item.
   */
  boolean completeArguments(Json.Obj frame) {
    StartedCall call = byItem.get(itemIndex(frame));
    if (call == null) {
      return false;
    }
    complete(call, frame.get("arguments"), frame);
    return true;
  }

  /**
   * Ends a call. The frame repeats the whole call, or is the first frame of a call that came
   * without deltas.
   */
  void end(Json.Obj frame, Json.Obj item) {
    StartedCall call = byItem.get(itemIndex(frame));
    if (call == null) {
      start(frame, item, text(item.get("arguments")));
    } else {
      complete(call, item.get("arguments"), frame);
    }
  }

  private static long itemIndex(Json.Obj frame) {
    return frame.longValue("output_index", 0);
  }

  private static Json.Str text(@Nullable Json arguments) {
    return arguments == null || arguments instanceof Json.Null
        ? EMPTY
        : arguments instanceof Json.Str text ? text : ResponsesAnswerReader.arguments(arguments);
  }

  private void start(Json.Obj frame, Json.Obj item, Json.Str arguments) {
    if (byItem.size() == MAX_CALLS) {
      out.accept(
          Event.Failed.upstream(
              TransportErrorClassifier.protocolError(
                  "the upstream sent more than " + MAX_CALLS + " function calls")));
      return;
    }
    var call = new StartedCall(byItem.size());
    call.hasArguments = !arguments.isEmpty();
    byItem.put(itemIndex(frame), call);
    last = call;
    String name = Objects.requireNonNullElse(item.text("name"), "");
    out.accept(
        new Event.ToolCallDelta(
            call.index,
            ResponsesAnswerReader.callId(item),
            names.toOriginal(name),
            arguments,
            frame));
  }

  /**
   * Ends a call. A block stop closes the latest block only, so the end of an earlier call is passed
   * on as an empty delta.
   */
  private void complete(StartedCall call, @Nullable Json arguments, Json.Obj frame) {
    Json.Str allArguments = text(arguments);
    if (!call.hasArguments && !allArguments.isEmpty()) {
      call.hasArguments = true;
      send(call, allArguments, null);
    }
    if (call == last) {
      out.accept(new Event.BlockStop(frame));
    } else {
      send(call, EMPTY, frame);
    }
  }

  private void send(StartedCall call, Json.Str piece, Json.@Nullable Obj frame) {
    out.accept(new Event.ToolCallDelta(call.index, null, null, piece, frame));
  }
}
