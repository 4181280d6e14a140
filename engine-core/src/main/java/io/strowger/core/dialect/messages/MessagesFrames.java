package io.strowger.core.dialect.messages;

import io.strowger.core.dialect.TextFrame;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.FrameTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Writes the events of one stream, each with its name and one {@code data:} line whose {@code type}
 * is that name. Messages fact sheet, section 4. For one thread.
 */
final class MessagesFrames {
  private @Nullable CachedTextFrame cachedTextFrame;

  /** The cached frame for texts of one kind in one block, made from one template. */
  private record CachedTextFrame(
      @Nullable FrameTemplate template, int index, DeltaType kind, TextFrame frame) {}

  /** Returns the frame if it is of this format, otherwise null. */
  static Json.@Nullable Obj ownFrame(Json.@Nullable Obj frame) {
    String type = frame == null ? null : frame.text("type");
    return type == null
        ? null
        : switch (type) {
          case "message_start",
              "content_block_start",
              "content_block_delta",
              "content_block_stop",
              "message_delta",
              "message_stop",
              "ping" ->
              frame;
          default -> null;
        };
  }

  static boolean isOwnDialect(@Nullable FrameTemplate template) {
    return template != null && template.dialect() == Dialect.MESSAGES;
  }

  /** Writes one event. The bytes of an upstream's event are kept. */
  void writeEvent(String type, Json.Obj data, JsonOutput out) {
    out.ascii("event: ");
    out.ascii(type);
    out.ascii("\ndata: ");
    int start = out.length();
    data.writeTo(out);
    if (out.hasLineBreakFrom(start)) { // a line break would split the data line
      out.truncate(start);
      data.detached().writeTo(out);
    }
    out.ascii("\n\n");
  }

  void writeStart(int index, Json.Obj block, JsonOutput out) {
    writeEvent(
        "content_block_start",
        Json.object()
            .put("type", "content_block_start")
            .put("index", index)
            .put("content_block", block)
            .build(),
        out);
  }

  void writeStop(int index, JsonOutput out) {
    writeEvent(
        "content_block_stop",
        Json.object().put("type", "content_block_stop").put("index", index).build(),
        out);
  }

  /** Writes a delta of one member, such as {@code {"type":"signature_delta","signature":"..."}}. */
  void writeDelta(int index, String type, String member, Json value, JsonOutput out) {
    writeEvent(
        "content_block_delta",
        Json.object()
            .put("type", "content_block_delta")
            .put("index", index)
            .put("delta", Json.object().put("type", type).put(member, value).build())
            .build(),
        out);
  }

  /** Writes an upstream's event of a block, with the block's index in this answer. */
  void writeBlockEvent(int index, String type, Json.Obj frame, JsonOutput out) {
    writeEvent(type, withIndex(frame, index), out);
  }

  private static Json.Obj withIndex(Json.Obj frame, int index) {
    return frame.longValue("index", -1) == index ? frame : frame.with("index", Json.of(index));
  }

  /**
   * Writes a fragment of text in the upstream's frame, or in a new frame when the upstream has
   * another format.
   */
  void writeText(
      int index, DeltaType kind, Json.Str text, @Nullable FrameTemplate template, JsonOutput out) {
    FrameTemplate ownTemplate = isOwnDialect(template) ? template : null;
    CachedTextFrame cached = cachedTextFrame;
    if (cached == null
        || cached.template() != ownTemplate
        || cached.index() != index
        || cached.kind() != kind) {
      var frame = new JsonOutput(256);
      writeEvent("content_block_delta", withMark(index, kind, ownTemplate), frame);
      cached = new CachedTextFrame(ownTemplate, index, kind, new TextFrame(frame.toByteArray()));
      cachedTextFrame = cached;
    }
    cached.frame().write(text, out);
  }

  private static Json.Obj withMark(int index, DeltaType kind, @Nullable FrameTemplate template) {
    Json.Obj upstream = template == null ? null : template.firstFrame().object("delta");
    Json.Obj delta =
        upstream == null || !(upstream.get(kind.member()) instanceof Json.Str)
            ? Json.object().put("type", kind.type()).put(kind.member(), "").build()
            : upstream;
    Json.Obj frame =
        template == null || delta != upstream
            ? Json.object().put("type", "content_block_delta").put("index", index).build()
            : withIndex(template.firstFrame(), index);
    return frame.with("delta", delta.with(kind.member(), TextFrame.MARK));
  }

  /** The deltas that carry text. */
  enum DeltaType {
    TEXT("text_delta", "text"),
    THINKING("thinking_delta", "thinking"),
    INPUT("input_json_delta", "partial_json");

    private final String type;
    private final String member;

    DeltaType(String type, String member) {
      this.type = type;
      this.member = member;
    }

    String type() {
      return type;
    }

    String member() {
      return member;
    }
  }
}
