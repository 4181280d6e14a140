package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fragments of tool calls that came in another dialect: the first identifies the call,
 * the others carry only arguments. For one thread.
 */
final class CallPieces {
  private final TreeMap<Integer, Boolean> begun = new TreeMap<>(); // true once it has arguments

  /** Returns the delta for an event; null when it adds nothing. */
  Json.@Nullable Obj fragment(Event.ToolCallDelta piece) {
    boolean blank = CallArguments.isBlank(piece.arguments());
    Boolean known = begun.putIfAbsent(piece.index(), !blank);
    if (known == null) {
      return first(piece);
    }
    if (!blank) {
      begun.put(piece.index(), true);
    }
    return piece.arguments().isEmpty() ? null : more(piece.index(), piece.arguments());
  }

  private static Json.Obj first(Event.ToolCallDelta piece) {
    Json.Obj.Builder call = Json.object().put("index", piece.index());
    Json.Obj.Builder function = Json.object();
    if (piece.id() != null) {
      call.put("id", piece.id()).put("type", "function");
    }
    if (piece.name() != null) {
      function.put("name", piece.name());
    }
    return delta(call.put("function", function.put("arguments", piece.arguments()).build()));
  }

  private static Json.Obj more(int index, Json.Str arguments) {
    return delta(
        Json.object()
            .put("index", index)
            .put("function", Json.object().put("arguments", arguments).build()));
  }

  private static Json.Obj delta(Json.Obj.Builder call) {
    return Json.object().put("tool_calls", Json.array(call.build())).build();
  }

  /** Returns the last deltas, which give an empty object to calls without arguments. */
  List<Json.Obj> missingArgumentFragments() {
    var fragments = new ArrayList<Json.Obj>();
    begun.forEach(
        (index, given) -> {
          if (!given) {
            fragments.add(more(index, CallArguments.NONE));
          }
        });
    return fragments;
  }
}
