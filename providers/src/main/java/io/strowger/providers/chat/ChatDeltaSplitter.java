package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits a frame with one choice, so that each item of content has a frame of its own. When an item
 * is changed later, no other frame still contains the old one. Every member is kept in exactly one
 * frame; unmodelled members stay in the first.
 */
final class ChatDeltaSplitter {
  private static final String DETAILS = "reasoning_details";
  private static final List<String> ENVELOPE =
      List.of("id", "object", "created", "model", "provider", "system_fingerprint", "service_tier");

  private final Json.Obj frame;
  private final Json.Obj choice;
  private final List<Said> said = new ArrayList<>();
  private final @Nullable String finishWord;
  private final Json.@Nullable Obj usage;

  /** One non-empty member of the delta, or one item of a list of tool calls, notes or details. */
  record Said(String member, Json value) {
    /** Returns the value in the form it has in a delta. */
    Json inDelta() {
      return isListed(member) ? Json.array(value) : value;
    }
  }

  ChatDeltaSplitter(Json.Obj frame, Json.Obj choice) {
    this.frame = frame;
    this.choice = choice;
    this.finishWord = finishWord(choice);
    this.usage = frame.object("usage");
    Json.Obj delta = choice.object("delta");
    if (delta != null) {
      collect(delta);
    }
  }

  /** Returns the finish reason; null when absent or, as some upstreams send it, empty. */
  private static @Nullable String finishWord(Json.Obj choice) {
    String word = choice.text("finish_reason");
    return word == null || word.isEmpty() ? null : word;
  }

  private static boolean isListed(String member) {
    return member.equals("tool_calls") || member.equals("annotations") || member.equals(DETAILS);
  }

  private void collect(Json.Obj delta) {
    for (int i = 0; i < delta.size(); i++) {
      String name = delta.name(i);
      Json value = delta.value(i);
      if (name.equals("role") || isNothing(value) || repeats(delta, name, value)) {
        continue;
      }
      if (value instanceof Json.Arr list && isListed(name)) {
        list.forEach(item -> item(name, item));
      } else {
        said.add(new Said(name, value));
      }
    }
  }

  /** Adds an item; a detail with both text and signature is split into two. */
  private void item(String name, Json item) {
    if (name.equals(DETAILS)
        && !isPlain()
        && item instanceof Json.Obj thought
        && isSaid(thought, "text")
        && isSaid(thought, "signature")) {
      said.add(new Said(name, thought.without("signature")));
      said.add(new Said(name, thought.without("text")));
    } else {
      said.add(new Said(name, item));
    }
  }

  private static boolean isSaid(Json.Obj object, String name) {
    return object.get(name) instanceof Json.Str text && !text.isEmpty();
  }

  /**
   * Returns whether the delta also has the reasoning as plain text, which takes precedence over the
   * details.
   */
  boolean isPlain() {
    Json.Obj delta = choice.object("delta");
    return delta != null && (isSaid(delta, "reasoning") || isSaid(delta, "reasoning_content"));
  }

  /** Returns the first reasoning detail with text or a summary; null when there is none. */
  Json.@Nullable Obj thought() {
    Json.Obj delta = choice.object("delta");
    Json.Arr items = delta == null ? null : delta.list(DETAILS);
    for (int i = 0; items != null && i < items.size(); i++) {
      if (items.get(i) instanceof Json.Obj item
          && (isSaid(item, "text") || isSaid(item, "summary"))) {
        return item;
      }
    }
    return null;
  }

  private static boolean isNothing(Json value) {
    return switch (value) {
      case Json.Null none -> true;
      case Json.Str text -> text.isEmpty();
      case Json.Arr list -> list.isEmpty();
      case Json.Obj object -> false;
      case Json.Num number -> false;
      case Json.Bool bool -> false;
    };
  }

  /** Returns whether this is {@code reasoning_content} equal to {@code reasoning}. */
  private static boolean repeats(Json.Obj delta, String name, Json value) {
    return name.equals("reasoning_content") && value.equals(delta.get("reasoning"));
  }

  List<Said> said() {
    return said;
  }

  /** Returns whether the frame has no content, no finish and no usage. */
  boolean isSilent() {
    return said.isEmpty() && finishWord == null && usage == null;
  }

  @Nullable String finishWord() {
    return finishWord;
  }

  Json.@Nullable Obj usage() {
    return usage;
  }

  /** Returns the native finish reason, or else the dialect's; null when neither is set. */
  @Nullable String nativeWord() {
    String told = choice.text("native_finish_reason");
    return told != null ? told : finishWord;
  }

  /** Returns whether the frame holds at most one item and can be passed on unchanged. */
  boolean isWhole() {
    return said.size() + (finishWord == null ? 0 : 1) + (usage == null ? 0 : 1) <= 1 && !repeated();
  }

  private boolean repeated() {
    Json.Obj delta = choice.object("delta");
    Json twice = delta == null ? null : delta.get("reasoning_content");
    return delta != null
        && twice != null
        && !isNothing(twice)
        && repeats(delta, "reasoning_content", twice);
  }

  /** Returns the frame of one of the items, which are numbered from 0. */
  Json.Obj frameOf(int index) {
    if (isWhole()) {
      return frame;
    }
    Said one = said.get(index);
    if (index > 0) {
      Json.Obj delta = Json.object().put(one.member(), one.inDelta()).build();
      return envelope(bareChoice(delta, Json.NULL).build());
    }
    Json.Obj kept = rest().with(one.member(), one.inDelta());
    Json.Obj first = choice.with("delta", kept);
    if (finishWord != null) {
      first = first.with("finish_reason", Json.NULL).without("native_finish_reason");
    }
    return withoutUsage().with("choices", Json.array(first));
  }

  /** Returns the delta without the members of all items but the first. */
  private Json.Obj rest() {
    Json.Obj rest = choice.object("delta");
    if (rest == null) {
      return Json.Obj.EMPTY;
    }
    if (repeated()) {
      rest = rest.without("reasoning_content");
    }
    for (Said one : said.subList(1, said.size())) {
      rest = rest.without(one.member());
    }
    return rest;
  }

  /** Returns the frame of the finish. */
  Json.Obj finishFrame() {
    if (isWhole()) {
      return frame;
    }
    if (said.isEmpty()) {
      return withoutUsage();
    }
    Json.Obj.Builder bare =
        bareChoice(Json.Obj.EMPTY, Json.of(finishWord == null ? "" : finishWord));
    Json told = choice.get("native_finish_reason");
    if (told != null) {
      bare.put("native_finish_reason", told);
    }
    return envelope(bare.build());
  }

  /** Returns the frame of the usage, which has no choices. */
  Json.Obj usageFrame() {
    if (said.isEmpty() && finishWord == null) {
      return frame;
    }
    return envelopeOf(frame)
        .with("choices", Json.array())
        .with("usage", usage == null ? Json.NULL : usage);
  }

  /** Returns the frame with a detail's text also set as plain {@code reasoning}. */
  static Json.Obj withReasoning(Json.Obj frame, Json.Str text) {
    Json.Arr choices = Objects.requireNonNull(frame.list("choices"));
    Json.Obj choice = (Json.Obj) choices.get(0);
    Json.Obj delta = Objects.requireNonNull(choice.object("delta"));
    Json.Obj plain = choice.with("delta", delta.with("reasoning", text));
    return frame.with("choices", choices.with(0, plain));
  }

  private Json.Obj withoutUsage() {
    return usage == null ? frame : frame.without("usage");
  }

  private Json.Obj.Builder bareChoice(Json.Obj delta, Json finish) {
    return Json.object()
        .put("index", Json.of(choice.whole("index", 0)))
        .put("delta", delta)
        .put("finish_reason", finish);
  }

  private Json.Obj envelope(Json.Obj only) {
    return envelopeOf(frame).with("choices", Json.array(only));
  }

  /** Returns the members that every frame of a stream repeats. */
  static Json.Obj envelopeOf(Json.Obj frame) {
    Json.Obj.Builder envelope = Json.object();
    for (int i = 0; i < frame.size(); i++) {
      if (ENVELOPE.contains(frame.name(i))) {
        envelope.put(frame.name(i), frame.value(i));
      }
    }
    return envelope.build();
  }
}
