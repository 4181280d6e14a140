package io.strowger.core.plan;

import java.util.List;

/** Lists of names as an error message shows them. */
final class Names {
  private static final int MOST = 8;

  private Names() {}

  /** The names, and how many more there are. */
  static String shown(List<String> names) {
    if (names.isEmpty()) {
      return "nobody";
    }
    return names.size() <= MOST
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST)) + " and " + (names.size() - MOST) + " more";
  }
}
