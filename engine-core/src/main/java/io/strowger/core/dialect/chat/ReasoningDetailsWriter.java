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

  static Json.Obj of(int index, Part.Thinking thinking) {
    Json.Obj.Builder item =
        switch (thinking.kind()) {
          case TEXT -> item("reasoning.text").put("text", thinking.text());
          case SUMMARY -> item("reasoning.summary").put("summary", thinking.text());
          case ENCRYPTED -> item("reasoning.encrypted").put("data", thinking.text());
        };
    if (thinking.signature() != null) {
      item.put("signature", thinking.signature());
    }
    return finish(item, thinking.id(), thinking.format(), index);
  }

  /**
   * Returns an item with a fragment of reasoning; the next fragment with the same index continues
   * it.
   */
  static Json.Obj fragment(int index, Event.ReasoningDelta event) {
    Json.Obj.Builder item =
        event.summary()
            ? item("reasoning.summary").put("summary", event.text())
            : item("reasoning.text").put("text", event.text());
    return finish(item, event.id(), event.format(), index);
  }

  /** Returns an item with the signature of the reasoning at an index. */
  static Json.Obj signature(int index, Json.Str signature, @Nullable String format) {
    return finish(item("reasoning.text").put("signature", signature), null, format, index);
  }

  static Json.Obj encrypted(
      int index, Json.Str data, @Nullable String id, @Nullable String format) {
    return finish(item("reasoning.encrypted").put("data", data), id, format, index);
  }

  static Json.Obj ofRun(int index, Part.ServerToolRun run) {
    return finish(
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

  private static Json.Obj finish(
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
    String text =
        switch (type == null ? "" : type) {
          case "reasoning.text" -> item.text("text");
          case "reasoning.summary" -> item.text("summary");
          default -> null;
        };
    return text == null ? "" : text;
  }
}
