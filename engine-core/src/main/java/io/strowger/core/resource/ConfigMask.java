package io.strowger.core.resource;

import io.strowger.spi.json.Json;

/** Masks secrets for display. Open question 76. */
final class ConfigMask {
  private static final int VISIBLE_CHARS = 4;
  private static final int MIN_LENGTH_TO_SHOW_ENDS = 12;
  private static final String ELLIPSIS = "...";
  private static final String FULL_MASK = "***";

  private ConfigMask() {}

  static Json mask(Json secret) {
    if (secret instanceof Json.Str str && str.text().length() >= MIN_LENGTH_TO_SHOW_ENDS) {
      String text = str.text();
      return Json.of(
          text.substring(0, VISIBLE_CHARS)
              + ELLIPSIS
              + text.substring(text.length() - VISIBLE_CHARS));
    }
    return Json.of(FULL_MASK);
  }

  /**
   * Returns whether a value looks masked. A real value of exactly this form is taken for a mask,
   * too; the chance is accepted.
   */
  static boolean isMask(Json value) {
    return value instanceof Json.Str str
        && (str.text().equals(FULL_MASK)
            || str.text().length() == 2 * VISIBLE_CHARS + ELLIPSIS.length()
                && str.text().startsWith(ELLIPSIS, VISIBLE_CHARS));
  }
}
