package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import org.jspecify.annotations.Nullable;

/**
 * Writes items of {@code reasoning_details}, which callers send back unchanged. Chat fact sheet,
 * section 3; translation fact sheet, section 4.
 */
final class ReasoningDetailsWriter {
  private ReasoningDetailsWriter() {}

  static Json.Obj of(int index, Part.Thinking thought) {
    Json.Obj.Builder item =
        switch (thought.kind()) {
          case TEXT -> item("reasoning.text").put("text", thought.text());
          case SUMMARY -> item("reasoning.summary").put("summary", thought.text());
          case ENCRYPTED -> item("reasoning.encrypted").put("data", thought.text());
        };
    if (thought.signature() != null) {
      item.put("signature", thought.signature());
    }
    return ended(item, thought.id(), thought.format(), index);
  }

  /**
   * Returns an item with a fragment of reasoning; the next fragment with the same index continues
   * it.
   */
  static Json.Obj piece(int index, Event.ReasoningDelta piece) {
    Json.Obj.Builder item =
        piece.summary()
            ? item("reasoning.summary").put("summary", piece.text())
            : item("reasoning.text").put("text", piece.text());
    return ended(item, piece.id(), piece.format(), index);
  }

  /** Returns an item with the signature of the reasoning at an index. */
  static Json.Obj signature(int index, Json.Str signature, @Nullable String format) {
    return ended(item("reasoning.text").put("signature", signature), null, format, index);
  }

  static Json.Obj encrypted(
      int index, Json.Str data, @Nullable String id, @Nullable String format) {
    return ended(item("reasoning.encrypted").put("data", data), id, format, index);
  }

  static Json.Obj ofRun(int index, Part.ServerToolRun run) {
    return ended(
        item("reasoning.server_tool_call")
            .put("tool_name", run.tool())
            .put("arguments", CallArguments.of(run.arguments()))
            .put("result", run.result())
            .put("tool_call_id", run.callId()),
        null,
        null,
        index);
  }

  private static Json.Obj.Builder item(String type) {
    return Json.object().put("type", type);
  }

  private static Json.Obj ended(
      Json.Obj.Builder item, @Nullable String id, @Nullable String format, int index) {
    if (id != null) {
      item.put("id", id);
    }
    return item.put("format", format == null ? "unknown" : format).put("index", index).build();
  }

  /**
   * Returns the readable text of an item; empty when it has none, for example because it is
   * encrypted.
   */
  static String readable(Json.Obj item) {
    String type = item.text("type");
    String said =
        switch (type == null ? "" : type) {
          case "reasoning.text" -> item.text("text");
          case "reasoning.summary" -> item.text("summary");
          default -> null;
        };
    return said == null ? "" : said;
  }
}
