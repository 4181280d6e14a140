package io.strowger.core.resource;

import io.strowger.spi.json.Json;

/** Masks secrets for display. Open question 76. */
final class Masks {
  private static final int SHOWN = 4;
  private static final int LONG = 12;
  private static final String DOTS = "...";
  private static final String SHORT = "***";

  private Masks() {}

  static Json mask(Json secret) {
    if (secret instanceof Json.Str str && str.text().length() >= LONG) {
      String text = str.text();
      return Json.of(text.substring(0, SHOWN) + DOTS + text.substring(text.length() - SHOWN));
    }
    return Json.of(SHORT);
  }

  /** Returns whether a value looks masked; no real secret is as short as a mask. */
  static boolean isMask(Json value) {
    return value instanceof Json.Str str
        && (str.text().equals(SHORT)
            || str.text().length() == 2 * SHOWN + DOTS.length()
                && str.text().startsWith(DOTS, SHOWN));
  }
}
