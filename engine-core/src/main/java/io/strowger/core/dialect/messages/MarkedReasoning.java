package io.strowger.core.dialect.messages;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A signature or an encrypted text, with the format of the vendor that issued it. This dialect has
 * no member for the format, so data of other vendors is marked, as {@code format:id:data}. Callers
 * send the data back unchanged, and it must not reach a vendor that did not issue it. The dialect's
 * own vendor writes base64, which has no colon, so its data never looks marked. Translation fact
 * sheet, section 4.
 *
 * @param data the signature or the text as its vendor wrote it
 * @param format the format of the vendor that issued the data
 * @param id the id of the reasoning item it belongs to; null when it has none
 */
record MarkedReasoning(Json.Str data, String format, @Nullable String id) {
  /** The format of data that this dialect carries unmarked. */
  private static final String OWN_FORMAT = "anthropic-claude-v1";

  /** The format of the gateway's own tool runs beside the caller's tool calls. */
  private static final String GATEWAY_FORMAT = "router-server-tool-v1";

  private static final char MARK = ':';
  private static final JsonCodec CODEC = new JacksonCodec();

  /** Returns the reasoning in a value that a caller sent back, marked or not. */
  static MarkedReasoning of(Json.Str value) {
    String text = value.text();
    int format = text.indexOf(MARK);
    int data = text.lastIndexOf(MARK);
    if (format <= 0 || format == data) {
      return new MarkedReasoning(value, OWN_FORMAT, null);
    }
    String id = text.substring(format + 1, data);
    return new MarkedReasoning(
        Json.of(text.substring(data + 1)), text.substring(0, format), id.isEmpty() ? null : id);
  }

  /**
   * Returns a signature or an encrypted text as this dialect writes it: marked, unless the
   * dialect's own vendor issued it or the format is unknown.
   *
   * @param format the vendor's format; null when unknown
   * @param id the id of the reasoning item it belongs to; null when it has none
   */
  static Json.Str mark(Json.Str data, @Nullable String format, @Nullable String id) {
    return format == null || format.equals(OWN_FORMAT)
        ? data
        : Json.of(format + MARK + (id == null ? "" : id) + MARK + data.text());
  }

  /**
   * Returns a tool run of the gateway, in an answer that also calls the caller's tools, as a {@code
   * redacted_thinking} block: callers send such blocks back unchanged, and a marked block never
   * reaches a vendor. Open question 61.
   */
  static Json.Obj redactedBlock(Part.ServerToolRun run) {
    byte[] document =
        Json.object()
            .put("id", run.callId())
            .put("tool", run.tool())
            .put("arguments", run.arguments().asString())
            .put("result", run.result())
            .build()
            .toBytes();
    String data = Base64.getEncoder().encodeToString(document);
    return ContentBlock.redacted(mark(Json.of(data), GATEWAY_FORMAT, null));
  }

  /**
   * Returns the tool run that {@link #redactedBlock} wrote. Returns null when this is no such run,
   * or a run that was changed: the data is then treated as reasoning of an unknown vendor.
   *
   * @param block the block it came in
   */
  @Nullable Part serverToolRun(Json.Obj block) {
    if (!format.equals(GATEWAY_FORMAT)) {
      return null;
    }
    try {
      Json parsed = CODEC.parse(Base64.getDecoder().decode(data.text()));
      return parsed instanceof Json.Obj run ? serverToolRun(run, block) : null;
    } catch (IllegalArgumentException | JsonCodec.MalformedJsonException e) {
      return null;
    }
  }

  private static @Nullable Part serverToolRun(Json.Obj run, Json.Obj block) {
    String id = run.text("id");
    String tool = run.text("tool");
    Json result = run.get("result");
    return id != null
            && tool != null
            && result != null
            && run.get("arguments") instanceof Json.Str arguments
        ? new Part.ServerToolRun(id, tool, new Arguments.Text(arguments), result, block)
        : null;
  }
}
