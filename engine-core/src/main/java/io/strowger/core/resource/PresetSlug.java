package io.strowger.core.resource;

import java.util.regex.Pattern;

/** The form of a preset's slug. Open question 69. */
public final class PresetSlug {
  /** Describes a valid slug, as the rest of a sentence. */
  public static final String ALLOWED =
      "must be 1 to 100 of a-z 0-9, with single - or _ between them";

  private static final Pattern FORM = Pattern.compile("[a-z0-9]+(?:[-_][a-z0-9]+)*");
  private static final int MAX_CHARS = 100;

  private PresetSlug() {}

  public static boolean isValid(String text) {
    return text.length() <= MAX_CHARS && FORM.matcher(text).matches();
  }
}
