package io.strowger.core.dialect;

import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/**
 * The name of a function a caller declares. Chat fact sheet, section 5. Read in a loop rather than
 * with a pattern: agents declare dozens in every request.
 */
public final class FunctionName {
  private static final int CHARS = 64;

  public static final Rule<String> RULE =
      (given, context) -> {
        if (given instanceof Json.Str str && str.utf8Bound() <= CHARS * 6 && isName(str.text())) {
          return str.text();
        }
        context.reject("must be 1 to 64 of A-Z a-z 0-9 _ -", given);
        return null;
      };

  private FunctionName() {}

  private static boolean isName(String text) {
    if (text.isEmpty() || text.length() > CHARS) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!isAllowed(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAllowed(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '_'
        || c == '-';
  }
}
