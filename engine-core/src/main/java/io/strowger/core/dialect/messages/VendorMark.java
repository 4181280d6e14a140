package io.strowger.core.dialect.messages;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.Base64;
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

  /** Whose the tools are that the gateway ran beside calls of the caller's. */
  private static final String GATEWAY = "router-server-tool-v1";

  private VendorMark() {}

  /**
   * A tool that the gateway ran, hidden where this format hides thoughts: callers send those back
   * as they are, and no vendor ever gets one that is marked. Open question 61.
   */
  static Json.Obj hidden(Part.ServerToolRun run) {
    byte[] document =
        Json.object()
            .put("id", run.callId())
            .put("tool", run.tool())
            .put("arguments", run.arguments().asString())
            .put("result", run.result())
            .build()
            .toBytes();
    String data = Base64.getEncoder().encodeToString(document);
    return ContentBlock.redacted(mark(Json.of(data), GATEWAY, null));
  }

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
