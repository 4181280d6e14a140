package io.strowger.conformance.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Different names that hash alike: what a caller sends who wants our maps to be lists. */
final class Colliding {
  private static final int PAIRS = 17;

  private Colliding() {}

  /** So many names of the same {@link String#hashCode}, at most 131,072, with one beginning. */
  static List<String> names(int many) {
    var names = new ArrayList<String>(many);
    for (int i = 0; i < many; i++) {
      var name = new StringBuilder("member-");
      for (int bit = 0; bit < PAIRS; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      names.add(name.toString());
    }
    return names;
  }
}
