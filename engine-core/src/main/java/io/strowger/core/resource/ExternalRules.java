package io.strowger.core.resource;

import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import org.jspecify.annotations.Nullable;

/** What a partner may call a user, and a key of its own. Resources fact sheet, section 3. */
final class ExternalRules {
  private static final int USER_CHARS = 512;
  private static final int KEY_CHARS = 32;
  private static final int DIFFERENT = 8;

  /** A user's name, trimmed. */
  static final Rule<String> USER =
      Rules.string()
          .to(
              ExternalRules::user,
              "must be a string of 1 to 512 characters after trimming, well-formed and without"
                  + " NUL");

  /**
   * A key, which is looked up by its digest: so it has to be one text in one spelling, and nothing
   * that can be guessed. A random key of hex or even decimal digits has more than eight different
   * characters; a word that is repeated has not.
   */
  static final Rule<Credential> API_KEY =
      Rules.string()
          .to(
              ExternalRules::key,
              "must be a string of at least 32 characters, 8 of them different, well-formed and"
                  + " without NUL");

  private ExternalRules() {}

  private static @Nullable String user(Json.Str given) {
    String text = trimmed(given.text());
    boolean fits = !text.isEmpty() && text.codePointCount(0, text.length()) <= USER_CHARS;
    return fits && isSound(text) ? text : null;
  }

  private static @Nullable Credential key(Json.Str given) {
    String text = given.text();
    boolean strong =
        text.codePointCount(0, text.length()) >= KEY_CHARS
            && text.codePoints().distinct().limit(DIFFERENT).count() == DIFFERENT;
    return strong && isSound(text) ? new Credential(text) : null;
  }

  /** No half of a surrogate pair, which has no bytes in UTF-8, and no NUL, which ends text. */
  private static boolean isSound(String text) {
    return text.codePoints()
        .noneMatch(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  private static String trimmed(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isBlank(text.charAt(start))) {
      start++;
    }
    while (end > start && isBlank(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isBlank(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == '\uFEFF';
  }
}
