package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fragments of tool calls that came in another dialect: the first fragment of a call
 * identifies it, the later ones carry only arguments. For one thread.
 */
final class ToolCallFragments {
  private final TreeMap<Integer, Boolean> argumentsSeen =
      new TreeMap<>(); // true once it has arguments

  /** Returns the delta for an event; null when it adds nothing. */
  Json.@Nullable Obj fragment(Event.ToolCallDelta event) {
    boolean isBlank = CallArguments.isBlank(event.arguments());
    Boolean previous = argumentsSeen.putIfAbsent(event.index(), !isBlank);
    if (previous == null) {
      return firstFragment(event);
    }
    if (!isBlank) {
      argumentsSeen.put(event.index(), true);
    }
    return event.arguments().isEmpty() ? null : argumentsFragment(event.index(), event.arguments());
  }

  private static Json.Obj firstFragment(Event.ToolCallDelta event) {
    Json.Obj.Builder call = Json.object().put("index", event.index());
    Json.Obj.Builder function = Json.object();
    if (event.id() != null) {
      call.put("id", event.id()).put("type", "function");
    }
    if (event.name() != null) {
      function.put("name", event.name());
    }
    return delta(call.put("function", function.put("arguments", event.arguments()).build()));
  }

  private static Json.Obj argumentsFragment(int index, Json.Str arguments) {
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
    argumentsSeen.forEach(
        (index, seen) -> {
          if (!seen) {
            fragments.add(argumentsFragment(index, CallArguments.EMPTY_OBJECT));
          }
        });
    return fragments;
  }
}
