package io.strowger.core.plan;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.error.ShortText;
import java.util.List;
import java.util.StringJoiner;

/** Formats names for error messages. */
final class NameFormatter {
  private static final int MAX_NAMES = 8;

  /** Maximum characters shown of one name; some names are written by callers. */
  private static final int MAX_CHARS = 80;

  private NameFormatter() {}

  /**
   * Returns the first names and the number of the others, such as {@code a, b and 3 more}; {@code
   * none} for an empty list.
   */
  static String format(List<String> names) {
    if (names.isEmpty()) {
      return "none";
    }
    var joiner = new StringJoiner(", ");
    for (String name : names.subList(0, Math.min(MAX_NAMES, names.size()))) {
      joiner.add(format(name));
    }
    return names.size() <= MAX_NAMES
        ? joiner.toString()
        : joiner + " and " + (names.size() - MAX_NAMES) + " more";
  }

  /** Returns a name, truncated when it is long. */
  static String format(String name) {
    return ShortText.withEllipsis(name, MAX_CHARS);
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
