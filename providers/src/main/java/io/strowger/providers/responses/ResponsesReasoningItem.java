package io.strowger.providers.responses;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@code reasoning} items, which hold several pieces of reasoning: summary parts,
 * plain text and an encrypted text that only the vendor can read. Translation fact sheet, section
 * 4.
 */
final class ResponsesReasoningItem {
  /** The format of the reasoning that an upstream of this dialect accepts back. */
  static final String FORMAT = "openai-responses-v1";

  private ResponsesReasoningItem() {}

  /** Returns the pieces of reasoning in an upstream's item, in order. */
  static List<Part.Thinking> thoughts(Json.Obj item) {
    String id = item.text("id");
    var thoughts = new ArrayList<Part.Thinking>();
    texts(item.list("summary"), "summary_text")
        .forEach(text -> thoughts.add(thought(Kind.SUMMARY, text, id)));
    texts(item.list("content"), "reasoning_text")
        .forEach(text -> thoughts.add(thought(Kind.TEXT, text, id)));
    Json.Str encrypted = encrypted(item);
    if (encrypted != null) {
      thoughts.add(thought(Kind.ENCRYPTED, encrypted, id));
    }
    return thoughts;
  }

  /**
   * Returns the event for a delta of reasoning.
   *
   * @param frame the frame of the delta, with the item's id
   */
  static Event delta(
      Json.Str text, boolean summary, Json.Obj frame, @Nullable FrameTemplate template) {
    return new Event.ReasoningDelta(text, summary, FORMAT, frame.text("item_id"), template);
  }

  /** Returns the encrypted reasoning of an item; null when there is none. */
  static Json.@Nullable Str encrypted(Json.Obj item) {
    return item.get("encrypted_content") instanceof Json.Str data && !data.isEmpty() ? data : null;
  }

  private static Part.Thinking thought(Kind kind, Json.Str text, @Nullable String id) {
    return new Part.Thinking(kind, text, null, FORMAT, id, Json.Obj.EMPTY, null);
  }

  private static List<Json.Str> texts(Json.@Nullable Arr parts, String type) {
    var texts = new ArrayList<Json.Str>();
    for (Json part : parts == null ? List.<Json>of() : parts) {
      if (part instanceof Json.Obj object
          && type.equals(object.text("type"))
          && object.get("text") instanceof Json.Str text) {
        texts.add(text);
      }
    }
    return texts;
  }

  /** Returns whether two consecutive pieces of reasoning belong to one item. */
  static boolean belongTogether(Part.Thinking first, Part.Thinking second) {
    return Objects.equals(first.id(), second.id())
        && Objects.equals(first.format(), second.format())
        && !(first.kind() == Kind.ENCRYPTED || first.signature() != null);
  }

  /**
   * Returns the item for pieces that {@linkplain #belongTogether belong together}; the original
   * item if they were read from one.
   */
  static Json.Obj of(List<Part.Thinking> thoughts) {
    Part.Thinking first = thoughts.getFirst();
    if (first.source() instanceof Json.Obj item
        && "reasoning".equals(item.text("type"))
        && thoughts.stream().allMatch(thought -> thought.source() == item)) {
      return item;
    }
    var item = Json.object().put("type", "reasoning");
    if (first.id() != null) {
      item.put("id", first.id());
    }
    item.put("summary", parts(thoughts, Kind.SUMMARY, "summary_text"));
    Json.Arr content = parts(thoughts, Kind.TEXT, "reasoning_text");
    if (!content.isEmpty()) {
      item.put("content", content);
    }
    thoughts.forEach(thought -> putFurtherMembers(thought, item));
    return item.build();
  }

  private static Json.Arr parts(List<Part.Thinking> thoughts, Kind kind, String type) {
    return Json.array(
        thoughts.stream()
            .filter(thought -> thought.kind() == kind)
            .map(thought -> Json.object().put("type", type).put("text", thought.text()).build())
            .toList());
  }

  private static void putFurtherMembers(Part.Thinking thought, Json.Obj.Builder item) {
    if (thought.kind() == Kind.ENCRYPTED) {
      item.put("encrypted_content", thought.text());
    }
    if (thought.signature() != null) {
      item.put("signature", thought.signature());
    }
    if (thought.format() != null && !thought.format().equals(FORMAT)) {
      item.put("format", thought.format());
    }
    item.putAll(thought.extras());
  }

  /**
   * Returns the item in the form that is sent upstream, or the same object when nothing changes.
   * The gateway's own members are removed. An id is sent only with the encrypted text it
   * identifies: nothing is stored upstream, so an id alone would not be found.
   *
   * @return null when the reasoning is another vendor's, which is recorded as a loss
   */
  static Json.@Nullable Obj forUpstream(Json.Obj item, Losses losses) {
    String format = item.text("format");
    boolean isSigned = item.get("signature") instanceof Json.Str;
    if (isSigned || format != null && !format.equals(FORMAT)) {
      losses.dropped("reasoning", "comes from another vendor");
      return null;
    }
    Json.Obj stripped = item.without("format").without("signature");
    return encrypted(item) == null ? stripped.without("id") : stripped;
  }
}
