package io.strowger.core.dialect.chat;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.ObjectWriter;
import io.strowger.core.dialect.TextFrame;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.FrameTemplate;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes the chunks of one stream as server-sent events, each one {@code data:} line that begins
 * with the gateway's members. Confined to one thread.
 */
final class ChatFrames {
  private static final byte[] END = "}\n\n".getBytes(StandardCharsets.US_ASCII);

  private final AnswerHeader header;
  private final byte[] opening;
  private final Frame defaultTextFrame;
  private final Frame defaultReasoningFrame;
  private @Nullable Frame textFrame;
  private @Nullable Frame reasoningFrame;

  /** The bytes to write around the texts of events with this template. */
  private record Frame(@Nullable FrameTemplate template, TextFrame bytes) {}

  ChatFrames(AnswerHeader header) {
    this.header = header;
    byte[] document = ChatHeaderMembers.of(header, "chat.completion.chunk").build().toBytes();
    var start = new JsonOutput(document.length + 8);
    start.ascii("data: ");
    start.bytes(document, 0, document.length - 1);
    this.opening = start.toByteArray();
    this.defaultTextFrame = defaultFrame("content");
    this.defaultReasoningFrame = defaultFrame("reasoning");
  }

  private Frame defaultFrame(String member) {
    return split(null, chunk(Json.object().put(member, TextFrame.MARK).build()));
  }

  private static Json.Obj chunk(Json.Obj delta) {
    return ChatChoices.chunk(ChatChoices.delta(0, delta));
  }

  void writeText(Json.Str text, @Nullable FrameTemplate template, JsonOutput out) {
    Frame frame = textFrame;
    if (frame == null || frame.template() != template) {
      frame = frameFor(template, "content", defaultTextFrame);
      textFrame = frame;
    }
    frame.bytes().write(text, out);
  }

  void writeReasoning(Json.Str text, @Nullable FrameTemplate template, JsonOutput out) {
    Frame frame = reasoningFrame;
    if (frame == null || frame.template() != template) {
      frame = frameFor(template, "reasoning", defaultReasoningFrame);
      reasoningFrame = frame;
    }
    frame.bytes().write(text, out);
  }

  /**
   * Returns the template's frame with the gateway's members; the given default frame when the
   * template has another format.
   */
  private Frame frameFor(@Nullable FrameTemplate template, String member, Frame fallback) {
    if (template == null || template.dialect() != Dialect.CHAT) {
      return fallback;
    }
    Json.Obj marked = withMark(template.firstFrame(), member);
    return marked == null ? fallback : split(template, marked);
  }

  private static Json.@Nullable Obj withMark(Json.Obj frame, String member) {
    Json.Arr choices = frame.list("choices");
    if (choices == null || choices.isEmpty() || !(choices.get(0) instanceof Json.Obj choice)) {
      return null;
    }
    Json.Obj delta = choice.object("delta");
    if (delta == null) {
      return null;
    }
    Json.Obj renamed = member.equals("reasoning") ? ChatChoices.renameReasoning(delta) : delta;
    if (!(renamed.get(member) instanceof Json.Str)) {
      return null;
    }
    return frame.with(
        "choices", choices.with(0, choice.with("delta", renamed.with(member, TextFrame.MARK))));
  }

  private Frame split(@Nullable FrameTemplate template, Json.Obj marked) {
    var out = new JsonOutput(512);
    write(marked, out);
    return new Frame(template, new TextFrame(out.toByteArray()));
  }

  /** Writes a chunk: the gateway's members, then the other members of the given chunk. */
  void write(Json.Obj upstream, JsonOutput out) {
    int start = out.length();
    out.bytes(opening);
    appendMembers(upstream, out);
    if (out.hasLineBreakFrom(start)) { // a line break would split the data line
      out.truncate(start + opening.length);
      appendMembers(upstream.detached(), out);
    }
    out.bytes(END);
  }

  private void appendMembers(Json.Obj upstream, JsonOutput out) {
    boolean hasServiceTier = false;
    for (int i = 0; i < upstream.size(); i++) {
      String name = upstream.name(i);
      if (!ChatHeaderMembers.GATEWAY_MEMBERS.contains(name)) {
        out.raw(',');
        upstream.writeMember(i, out);
        hasServiceTier |= name.equals("service_tier");
      }
    }
    if (!hasServiceTier && header.serviceTier() != null) {
      out.ascii(",\"service_tier\":");
      out.string(header.serviceTier());
    }
  }

  /** Writes a chunk with a delta of the first choice. */
  void writeDelta(Json.Obj delta, JsonOutput out) {
    write(chunk(delta), out);
  }

  /** Begins a chunk that only the gateway writes, and returns the writer for its members. */
  ObjectWriter begin(JsonOutput out) {
    out.bytes(opening);
    return ObjectWriter.continueObject(out);
  }

  /** Ends a chunk that {@link #begin} began. */
  void end(JsonOutput out) {
    out.bytes(END);
  }

  /**
   * Writes a chunk with members that only the gateway writes.
   *
   * @param members written unchanged, even {@code usage} and {@code router_metadata}
   */
  void writeOwn(Json.Obj members, JsonOutput out) {
    out.bytes(opening);
    for (int i = 0; i < members.size(); i++) {
      out.raw(',');
      members.writeMember(i, out);
    }
    out.bytes(END);
  }
}
