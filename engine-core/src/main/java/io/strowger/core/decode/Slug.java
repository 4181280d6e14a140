package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.util.regex.Pattern;

/**
 * The name of a preset: words of lower-case letters and digits, joined by {@code -} or {@code _}.
 * Open questions, 69.
 */
public final class Slug {
  private static final int CHARS = 100;
  private static final Pattern WORDS = Pattern.compile("[a-z0-9]+(?:[-_][a-z0-9]+)*");

  public static final Rule<String> RULE =
      (given, reading) -> {
        if (given instanceof Json.Str str && isSlug(str)) {
          return str.text();
        }
        reading.wrong("must be 1 to 100 of a-z 0-9, in words joined by - or _", given);
        return null;
      };

  private Slug() {}

  /** Bounded first: the pattern takes stack for every word. */
  private static boolean isSlug(Json.Str given) {
    return Rules.fits(given, CHARS) && WORDS.matcher(given.text()).matches();
  }
}
