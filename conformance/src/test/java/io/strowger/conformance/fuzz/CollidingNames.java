package io.strowger.conformance.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Different names with the same hash code, as an attacker sends them to make hash maps slow. */
final class CollidingNames {
  private static final int PAIRS = 17;

  private CollidingNames() {}

  /** Returns this many names, at most 131,072, with the same hash code and the same beginning. */
  static List<String> names(int count) {
    var names = new ArrayList<String>(count);
    for (int i = 0; i < count; i++) {
      var name = new StringBuilder("member-");
      for (int bit = 0; bit < PAIRS; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      names.add(name.toString());
    }
    return names;
  }
}
