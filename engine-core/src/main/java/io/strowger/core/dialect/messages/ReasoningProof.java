package io.strowger.core.dialect.messages;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A signature or an encrypted text, and whose it is. This dialect has no member for that, so what
 * the gateway showed of another vendor came out as {@code format:id:data}, and comes back so. Its
 * own vendor writes base64, which has no colon. Translation fact sheet, section 4.
 *
 * @param data as its vendor wrote it
 * @param format whose it is
 * @param id what it hangs on; null when it has none
 */
record ReasoningProof(Json.Str data, String format, @Nullable String id) {
  private static final String OWN = "anthropic-claude-v1";
  private static final char MARK = ':';

  static ReasoningProof of(Json.Str given) {
    String text = given.text();
    int format = text.indexOf(MARK);
    int data = text.lastIndexOf(MARK);
    if (format <= 0 || format == data) {
      return new ReasoningProof(given, OWN, null);
    }
    String id = text.substring(format + 1, data);
    return new ReasoningProof(
        Json.of(text.substring(data + 1)), text.substring(0, format), id.isEmpty() ? null : id);
  }
}
