package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits a frame with one choice into frames with one item of content each. When an item is changed
 * later, no other frame still contains its old value. All frames repeat the members of the
 * envelope, such as {@code id}; every other member is kept in exactly one frame, and members that
 * the engine does not know stay in the first.
 */
final class ChatDeltaSplitter {
  private static final String DETAILS = "reasoning_details";
  private static final List<String> ENVELOPE =
      List.of("id", "object", "created", "model", "provider", "system_fingerprint", "service_tier");

  private final Json.Obj frame;
  private final Json.Obj choice;
  private final List<DeltaItem> deltaItems = new ArrayList<>();
  private final @Nullable String finishReason;
  private final Json.@Nullable Obj usage;

  /** One non-empty member of the delta, or one item of a list of calls, annotations or details. */
  record DeltaItem(String member, Json value) {
    /** Returns the value in the form it has in a delta. */
    Json inDelta() {
      return isListed(member) ? Json.array(value) : value;
    }
  }

  ChatDeltaSplitter(Json.Obj frame, Json.Obj choice) {
    this.frame = frame;
    this.choice = choice;
    this.finishReason = finishReason(choice);
    this.usage = frame.object("usage");
    Json.Obj delta = choice.object("delta");
    if (delta != null) {
      collect(delta);
    }
  }

  /** Returns the finish reason; null when absent or, as some upstreams send it, empty. */
  private static @Nullable String finishReason(Json.Obj choice) {
    String reason = choice.text("finish_reason");
    return reason == null || reason.isEmpty() ? null : reason;
  }

  private static boolean isListed(String member) {
    return member.equals("tool_calls") || member.equals("annotations") || member.equals(DETAILS);
  }

  private void collect(Json.Obj delta) {
    for (int i = 0; i < delta.size(); i++) {
      String name = delta.name(i);
      Json value = delta.value(i);
      if (name.equals("role") || isEmpty(value) || isRepeatedReasoning(delta, name, value)) {
        continue;
      }
      if (value instanceof Json.Arr list && isListed(name)) {
        list.forEach(item -> addItem(name, item));
      } else {
        deltaItems.add(new DeltaItem(name, value));
      }
    }
  }

  /** Adds an item; a detail with both text and signature is split into two. */
  private void addItem(String name, Json item) {
    if (name.equals(DETAILS)
        && !hasPlainReasoning()
        && item instanceof Json.Obj detail
        && hasText(detail, "text")
        && hasText(detail, "signature")) {
      deltaItems.add(new DeltaItem(name, detail.without("signature")));
      deltaItems.add(new DeltaItem(name, detail.without("text")));
    } else {
      deltaItems.add(new DeltaItem(name, item));
    }
  }

  private static boolean hasText(Json.Obj object, String name) {
    return object.get(name) instanceof Json.Str text && !text.isEmpty();
  }

  /**
   * Returns whether the delta also has the reasoning as plain text, which takes precedence over the
   * details.
   */
  boolean hasPlainReasoning() {
    Json.Obj delta = choice.object("delta");
    return delta != null && (hasText(delta, "reasoning") || hasText(delta, "reasoning_content"));
  }

  /** Returns the first reasoning detail with text or a summary; null when there is none. */
  Json.@Nullable Obj readableDetail() {
    Json.Obj delta = choice.object("delta");
    Json.Arr items = delta == null ? null : delta.list(DETAILS);
    for (int i = 0; items != null && i < items.size(); i++) {
      if (items.get(i) instanceof Json.Obj item
          && (hasText(item, "text") || hasText(item, "summary"))) {
        return item;
      }
    }
    return null;
  }

  private static boolean isEmpty(Json value) {
    return switch (value) {
      case Json.Null jsonNull -> true;
      case Json.Str text -> text.isEmpty();
      case Json.Arr list -> list.isEmpty();
      case Json.Obj object -> false;
      case Json.Num number -> false;
      case Json.Bool bool -> false;
    };
  }

  /** Returns whether this is {@code reasoning_content} equal to {@code reasoning}. */
  private static boolean isRepeatedReasoning(Json.Obj delta, String name, Json value) {
    return name.equals("reasoning_content") && value.equals(delta.get("reasoning"));
  }

  List<DeltaItem> deltaItems() {
    return deltaItems;
  }

  /** Returns whether the frame has no content, no finish and no usage. */
  boolean isEmptyFrame() {
    return deltaItems.isEmpty() && finishReason == null && usage == null;
  }

  @Nullable String finishReason() {
    return finishReason;
  }

  Json.@Nullable Obj usage() {
    return usage;
  }

  /** Returns the native finish reason, or else the dialect's; null when neither is set. */
  @Nullable String nativeFinishReason() {
    String nativeReason = choice.text("native_finish_reason");
    return nativeReason != null ? nativeReason : finishReason;
  }

  /**
   * Returns whether the frame can be passed on unchanged: it holds at most one of an item, a finish
   * and a usage.
   */
  boolean isSingleItem() {
    return deltaItems.size() + (finishReason == null ? 0 : 1) + (usage == null ? 0 : 1) <= 1
        && !hasRepeatedReasoning();
  }

  private boolean hasRepeatedReasoning() {
    Json.Obj delta = choice.object("delta");
    Json reasoningContent = delta == null ? null : delta.get("reasoning_content");
    return delta != null
        && reasoningContent != null
        && !isEmpty(reasoningContent)
        && isRepeatedReasoning(delta, "reasoning_content", reasoningContent);
  }

  /** Returns the frame of one of the items, which are numbered from 0. */
  Json.Obj frameOf(int index) {
    if (isSingleItem()) {
      return frame;
    }
    DeltaItem item = deltaItems.get(index);
    if (index > 0) {
      Json.Obj delta = Json.object().put(item.member(), item.inDelta()).build();
      return envelope(bareChoice(delta, Json.NULL).build());
    }
    Json.Obj firstDelta = firstItemDelta().with(item.member(), item.inDelta());
    Json.Obj first = choice.with("delta", firstDelta);
    if (finishReason != null) {
      first = first.with("finish_reason", Json.NULL).without("native_finish_reason");
    }
    return withoutUsage().with("choices", Json.array(first));
  }

  /** Returns the delta of the first item: without the members of the other items. */
  private Json.Obj firstItemDelta() {
    Json.Obj remaining = choice.object("delta");
    if (remaining == null) {
      return Json.Obj.EMPTY;
    }
    if (hasRepeatedReasoning()) {
      remaining = remaining.without("reasoning_content");
    }
    for (DeltaItem item : deltaItems.subList(1, deltaItems.size())) {
      remaining = remaining.without(item.member());
    }
    return remaining;
  }

  /** Returns the frame of the finish. */
  Json.Obj finishFrame() {
    if (isSingleItem()) {
      return frame;
    }
    if (deltaItems.isEmpty()) {
      return withoutUsage();
    }
    Json.Obj.Builder bareChoice =
        bareChoice(Json.Obj.EMPTY, Json.of(finishReason == null ? "" : finishReason));
    Json nativeReason = choice.get("native_finish_reason");
    if (nativeReason != null) {
      bareChoice.put("native_finish_reason", nativeReason);
    }
    return envelope(bareChoice.build());
  }

  /** Returns the frame of the usage, which has no choices. */
  Json.Obj usageFrame() {
    if (deltaItems.isEmpty() && finishReason == null) {
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
    Json.Obj newChoice = choice.with("delta", delta.with("reasoning", text));
    return frame.with("choices", choices.with(0, newChoice));
  }

  private Json.Obj withoutUsage() {
    return usage == null ? frame : frame.without("usage");
  }

  private Json.Obj.Builder bareChoice(Json.Obj delta, Json finish) {
    return Json.object()
        .put("index", Json.of(choice.longValue("index", 0)))
        .put("delta", delta)
        .put("finish_reason", finish);
  }

  private Json.Obj envelope(Json.Obj onlyChoice) {
    return envelopeOf(frame).with("choices", Json.array(onlyChoice));
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
