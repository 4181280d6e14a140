package io.strowger.core.dialect.messages;

import io.strowger.core.dialect.messages.MessagesFrames.DeltaType;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import java.nio.charset.StandardCharsets;

/** Writes a block that came whole as the events of a stream. */
final class WholeBlockWriter {
  private static final Json.Str EMPTY = Json.of("");

  private WholeBlockWriter() {}

  /**
   * Returns the block for its start event: text, thinking and calls without their content, other
   * blocks unchanged.
   */
  static Json.Obj startOf(Json.Obj block) {
    return switch (type(block)) {
      case "text" -> block.with("text", EMPTY).with("citations", Json.NULL);
      case "thinking" -> block.with("thinking", EMPTY).with("signature", EMPTY);
      case "tool_use" -> block.with("input", Json.Obj.EMPTY);
      default -> block;
    };
  }

  static void writeDeltas(Json.Obj block, int index, MessagesFrames frames, JsonOutput out) {
    switch (type(block)) {
      case "text" -> {
        writeText(block, "text", DeltaType.TEXT, index, frames, out);
        Json.Arr citations = block.list("citations");
        for (Json citation : citations == null ? Json.array() : citations) {
          frames.writeDelta(index, "citations_delta", "citation", citation, out);
        }
      }
      case "thinking" -> {
        writeText(block, "thinking", DeltaType.THINKING, index, frames, out);
        if (block.get("signature") instanceof Json.Str signature && !signature.isEmpty()) {
          frames.writeDelta(index, "signature_delta", "signature", signature, out);
        }
      }
      case "tool_use" -> writeInput(block, index, frames, out);
      default -> {
        // the start event has all of its content
      }
    }
  }

  private static String type(Json.Obj block) {
    String type = block.text("type");
    return type == null ? "" : type;
  }

  private static void writeText(
      Json.Obj block,
      String member,
      DeltaType kind,
      int index,
      MessagesFrames frames,
      JsonOutput out) {
    if (block.get(member) instanceof Json.Str text && !text.isEmpty()) {
      frames.writeText(index, kind, text, null, out);
    }
  }

  private static void writeInput(Json.Obj block, int index, MessagesFrames frames, JsonOutput out) {
    if (block.get("input") instanceof Json.Obj input) {
      String text = new String(input.toBytes(), StandardCharsets.UTF_8);
      frames.writeText(index, DeltaType.INPUT, Json.of(text), null, out);
    }
  }
}
