package io.strowger.core.config;

import io.strowger.spi.json.JsonPointer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that each name is used only once, ignoring case. */
final class UniqueNames {
  private final Map<String, JsonPointer> places = new HashMap<>();

  /** Registers a name and returns whether it is new; reports the member when it is not. */
  boolean check(Section in, String member, @Nullable String name) {
    if (name == null) {
      return true;
    }
    JsonPointer previous = places.putIfAbsent(name.toLowerCase(Locale.ROOT), in.pointerTo(member));
    if (previous != null) {
      in.problem(member, "must be unique, is also at " + previous);
    }
    return previous == null;
  }

  /** Does the same as {@link #check} for an item of a list. */
  void checkItem(Section in, String member, int item, String name) {
    JsonPointer at = in.pointerTo(member).child(item);
    JsonPointer previous = places.putIfAbsent(name.toLowerCase(Locale.ROOT), at);
    if (previous != null) {
      in.itemProblem(member, item, "must be unique, is also at " + previous);
    }
  }
}
