package io.strowger.providers.responses;

import io.strowger.providers.translate.SafeNames;
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
 * arguments, whether the upstream sends them in pieces, at the end or twice.
 */
final class FunctionCalls {
  private static final Json.Str NOTHING = Json.of("");

  private final SafeNames names;
  private final Consumer<Event> out;
  private final Map<Long, Open> byItem = new HashMap<>();
  private @Nullable Open last;

  /** A call that began. */
  private static final class Open {
    private final int index;
    private boolean argued;

    Open(int index) {
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
  boolean any() {
    return !byItem.isEmpty();
  }

  /** Begins a call whose arguments come later. */
  void begin(Json.Obj frame, Json.Obj item) {
    if (byItem.containsKey(place(frame))) {
      out.accept(new Event.BlockStop(frame));
    } else {
      started(frame, item, NOTHING);
    }
  }

  /** Passes on more arguments; returns false when no call has begun for the item. */
  boolean delta(Json.Obj frame) {
    Open call = byItem.get(place(frame));
    if (call == null || !(frame.get("delta") instanceof Json.Str piece)) {
      return false;
    }
    call.argued = call.argued || !piece.isEmpty();
    more(call, piece, frame);
    return true;
  }

  /**
   * Handles the frame that repeats all arguments; returns false when no call has begun for the
   * item.
   */
  boolean done(Json.Obj frame) {
    Open call = byItem.get(place(frame));
    if (call == null) {
      return false;
    }
    repeated(call, frame.get("arguments"), frame);
    return true;
  }

  /**
   * Ends a call. The frame repeats the whole call, or is the first frame of a call that came
   * without deltas.
   */
  void end(Json.Obj frame, Json.Obj item) {
    Open call = byItem.get(place(frame));
    if (call == null) {
      started(frame, item, text(item.get("arguments")));
    } else {
      repeated(call, item.get("arguments"), frame);
    }
  }

  private static long place(Json.Obj frame) {
    return frame.whole("output_index", 0);
  }

  private static Json.Str text(@Nullable Json arguments) {
    return arguments == null || arguments instanceof Json.Null
        ? NOTHING
        : arguments instanceof Json.Str text ? text : ResponsesAnswerReader.arguments(arguments);
  }

  private void started(Json.Obj frame, Json.Obj item, Json.Str arguments) {
    var call = new Open(byItem.size());
    call.argued = !arguments.isEmpty();
    byItem.put(place(frame), call);
    last = call;
    String name = Objects.requireNonNullElse(item.text("name"), "");
    out.accept(
        new Event.ToolCallDelta(
            call.index,
            ResponsesAnswerReader.callId(item),
            names.original(name),
            arguments,
            frame));
  }

  /**
   * Ends a call. A block stop closes the latest block only, so the end of an earlier call is passed
   * on as an empty delta.
   */
  private void repeated(Open call, @Nullable Json arguments, Json.Obj frame) {
    Json.Str all = text(arguments);
    if (!call.argued && !all.isEmpty()) {
      call.argued = true;
      more(call, all, null);
    }
    if (call == last) {
      out.accept(new Event.BlockStop(frame));
    } else {
      more(call, NOTHING, frame);
    }
  }

  private void more(Open call, Json.Str piece, Json.@Nullable Obj frame) {
    out.accept(new Event.ToolCallDelta(call.index, null, null, piece, frame));
  }
}
