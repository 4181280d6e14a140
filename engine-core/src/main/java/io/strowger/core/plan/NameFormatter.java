package io.strowger.core.plan;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.error.ShortText;
import java.util.List;
import java.util.StringJoiner;

/** Formats names for error messages. */
final class NameFormatter {
  private static final int MOST = 8;

  /** Maximum characters shown of one name; some names are written by callers. */
  private static final int LONGEST = 80;

  private NameFormatter() {}

  /** Returns the first names and the number of the others, such as {@code a, b and 3 more}. */
  static String shown(List<String> names) {
    if (names.isEmpty()) {
      return "nobody";
    }
    var shown = new StringJoiner(", ");
    for (String name : names.subList(0, Math.min(MOST, names.size()))) {
      shown.add(shown(name));
    }
    return names.size() <= MOST
        ? shown.toString()
        : shown + " and " + (names.size() - MOST) + " more";
  }

  /** Returns a name, truncated when it is long. */
  static String shown(String name) {
    return ShortText.withDots(name, LONGEST);
  }

  /** Returns the names of the modalities in a mask. */
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
