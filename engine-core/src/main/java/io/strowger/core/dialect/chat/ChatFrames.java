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

  private final AnswerHeader head;
  private final byte[] opening;
  private final Frame plainText;
  private final Frame plainReasoning;
  private @Nullable Frame textFrame;
  private @Nullable Frame reasoningFrame;

  /** The bytes to write around the texts of events with this template. */
  private record Frame(@Nullable FrameTemplate template, TextFrame around) {}

  ChatFrames(AnswerHeader head) {
    this.head = head;
    byte[] document = ChatDocument.of(head, "chat.completion.chunk").build().toBytes();
    var start = new JsonOutput(document.length + 8);
    start.ascii("data: ");
    start.bytes(document, 0, document.length - 1);
    this.opening = start.toByteArray();
    this.plainText = plain("content");
    this.plainReasoning = plain("reasoning");
  }

  private Frame plain(String member) {
    return split(null, chunkOf(Json.object().put(member, TextFrame.MARK).build()));
  }

  private static Json.Obj chunkOf(Json.Obj delta) {
    return ChatChoices.chunk(ChatChoices.delta(0, delta));
  }

  void text(Json.Str text, @Nullable FrameTemplate template, JsonOutput out) {
    Frame frame = textFrame;
    if (frame == null || frame.template() != template) {
      frame = framed(template, "content", plainText);
      textFrame = frame;
    }
    frame.around().write(text, out);
  }

  void reasoning(Json.Str text, @Nullable FrameTemplate template, JsonOutput out) {
    Frame frame = reasoningFrame;
    if (frame == null || frame.template() != template) {
      frame = framed(template, "reasoning", plainReasoning);
      reasoningFrame = frame;
    }
    frame.around().write(text, out);
  }

  /**
   * Returns the template's frame with the gateway's members; the given default frame when the
   * template has another format.
   */
  private Frame framed(@Nullable FrameTemplate template, String member, Frame plain) {
    if (template == null || template.dialect() != Dialect.CHAT) {
      return plain;
    }
    Json.Obj marked = marked(template.example(), member);
    return marked == null ? plain : split(template, marked);
  }

  private static Json.@Nullable Obj marked(Json.Obj frame, String member) {
    Json.Arr choices = frame.list("choices");
    if (choices == null || choices.isEmpty() || !(choices.get(0) instanceof Json.Obj choice)) {
      return null;
    }
    Json.Obj delta = choice.object("delta");
    if (delta == null) {
      return null;
    }
    Json.Obj named = member.equals("reasoning") ? ChatChoices.namedReasoning(delta) : delta;
    if (!(named.get(member) instanceof Json.Str)) {
      return null;
    }
    return frame.with(
        "choices", choices.with(0, choice.with("delta", named.with(member, TextFrame.MARK))));
  }

  private Frame split(@Nullable FrameTemplate template, Json.Obj marked) {
    var out = new JsonOutput(512);
    frame(marked, out);
    return new Frame(template, new TextFrame(out.toByteArray()));
  }

  /** Writes an upstream's chunk without the members the gateway owns. */
  void frame(Json.Obj upstream, JsonOutput out) {
    int start = out.length();
    out.bytes(opening);
    members(upstream, out);
    if (out.hasLineBreakFrom(start)) { // a line break would split the data line
      out.truncate(start + opening.length);
      members(upstream.detached(), out);
    }
    out.bytes(END);
  }

  private void members(Json.Obj upstream, JsonOutput out) {
    boolean tierSaid = false;
    for (int i = 0; i < upstream.size(); i++) {
      String name = upstream.name(i);
      if (!ChatDocument.OWNED.contains(name)) {
        out.raw(',');
        upstream.writeMember(i, out);
        tierSaid |= name.equals("service_tier");
      }
    }
    if (!tierSaid && head.serviceTier() != null) {
      out.ascii(",\"service_tier\":");
      out.string(head.serviceTier());
    }
  }

  /** Writes a chunk with a delta of the first choice. */
  void delta(Json.Obj delta, JsonOutput out) {
    frame(chunkOf(delta), out);
  }

  /** Begins a chunk that only the gateway writes, and returns the writer for its members. */
  ObjectWriter begin(JsonOutput out) {
    out.bytes(opening);
    return ObjectWriter.within(out);
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
  void own(Json.Obj members, JsonOutput out) {
    out.bytes(opening);
    for (int i = 0; i < members.size(); i++) {
      out.raw(',');
      members.writeMember(i, out);
    }
    out.bytes(END);
  }
}
