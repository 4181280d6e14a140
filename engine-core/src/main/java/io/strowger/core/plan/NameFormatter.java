package io.strowger.core.plan;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.error.ShortText;
import java.util.List;
import java.util.StringJoiner;

/** Lists of names as an error message shows them. */
final class NameFormatter {
  private static final int MOST = 8;

  /** Most characters of one name; callers write some of them. */
  private static final int LONGEST = 80;

  private NameFormatter() {}

  /** The names, and how many more there are. */
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

  /** A name, cut when it is long. */
  static String shown(String name) {
    return ShortText.withDots(name, LONGEST);
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
