package io.strowger.core.plan;

import io.strowger.spi.catalog.Modality;
import java.util.List;
import java.util.StringJoiner;

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

  /** The kinds of content in a mask. */
  static String ofModalities(int mask) {
    var names = new StringJoiner(", ");
    for (Modality modality : Modality.values()) {
      if ((mask & modality.bit()) != 0) {
        names.add(modality.wireName());
      }
    }
    return names.toString();
  }
}
