package io.strowger.core.encode.messages;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Signatures and encrypted texts of other vendors in a format that has no member to say whose they
 * are: {@code format:id:data}. Callers send them back as they are, and they must not reach a vendor
 * that did not issue them. The format's own vendor writes base64, which has no colon, so none of
 * its own looks like a marked one. Translation fact sheet, section 4.
 */
final class VendorMark {
  /** Whose signatures this format carries as they are. */
  static final String OWN = "anthropic-claude-v1";

  private VendorMark() {}

  /**
   * @param format whose it is; null when nobody said
   * @param id what it hangs on; null when it has none
   */
  static Json.Str mark(Json.Str data, @Nullable String format, @Nullable String id) {
    return format == null || format.equals(OWN)
        ? data
        : Json.of(format + ":" + (id == null ? "" : id) + ":" + data.text());
  }
}
