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
    JsonPointer other = places.putIfAbsent(name.toLowerCase(Locale.ROOT), in.at(member));
    if (other != null) {
      in.problem(member, "must be unique, is also at " + other);
    }
    return other == null;
  }

  /** Does the same as {@link #check} for an item of a list. */
  void checkItem(Section in, String member, int item, String name) {
    JsonPointer at = in.at(member).child(item);
    JsonPointer other = places.putIfAbsent(name.toLowerCase(Locale.ROOT), at);
    if (other != null) {
      in.itemProblem(member, item, "must be unique, is also at " + other);
    }
  }
}
