package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An item of an output in progress: its texts and, at the end, its document. Confined to one
 * thread.
 */
final class OutputItem {
  /** The kind of an item, which determines its kinds of text. */
  enum Kind {
    MESSAGE,
    REASONING,
    CALL,
    CUSTOM_CALL,
    /** An item without streamed texts. */
    OTHER;

    static Kind of(Json.Obj item) {
      String type = item.text("type");
      return switch (type == null ? "" : type) {
        case "message" -> MESSAGE;
        case "reasoning" -> REASONING;
        case "function_call" -> CALL;
        case "custom_tool_call" -> CUSTOM_CALL;
        default -> OTHER;
      };
    }
  }

  private final Kind kind;
  private final int index;
  private final Json.Obj base;
  private final boolean fromUpstream;
  private final List<ItemText> texts = new ArrayList<>();
  private Json.Obj endMembers = Json.Obj.EMPTY;
  private boolean isSealed;
  private Json.@Nullable Obj finalDocument;

  /**
   * @param index the index of the item in the output, from 0
   * @param base the item as it was announced
   * @param fromUpstream whether the upstream announced the item; then the upstream also ends it
   */
  OutputItem(Kind kind, int index, Json.Obj base, boolean fromUpstream) {
    this.kind = kind;
    this.index = index;
    this.base = base;
    this.fromUpstream = fromUpstream;
  }

  Kind kind() {
    return kind;
  }

  int index() {
    return index;
  }

  boolean isFromUpstream() {
    return fromUpstream;
  }

  boolean isDone() {
    return finalDocument != null;
  }

  String id() {
    return textOrEmpty("id");
  }

  String name() {
    return textOrEmpty("name");
  }

  String callId() {
    return textOrEmpty("call_id");
  }

  private String textOrEmpty(String member) {
    String text = base.text(member);
    return text == null ? "" : text;
  }

  /** Returns whether only the end of the item may follow. */
  boolean isSealed() {
    return isSealed;
  }

  void seal() {
    isSealed = true;
  }

  /** Adds a member that is written only at the end of the item. */
  void addAtEnd(String name, Json value) {
    endMembers = endMembers.with(name, value);
  }

  boolean has(ItemText.Kind textKind) {
    return texts.stream().anyMatch(text -> text.kind() == textKind);
  }

  /** Returns the last text if it has this kind and is open, otherwise null. */
  @Nullable ItemText openText(ItemText.Kind textKind) {
    ItemText last = texts.isEmpty() ? null : texts.get(texts.size() - 1);
    return last != null && last.kind() == textKind && last.isOpen() ? last : null;
  }

  @Nullable ItemText findText(ItemText.Kind textKind, int textIndex) {
    for (ItemText text : texts) {
      if (text.kind() == textKind && text.index() == textIndex) {
        return text;
      }
    }
    return null;
  }

  ItemText beginText(ItemText.Kind textKind) {
    int textIndex = 0;
    for (ItemText text : texts) {
      textIndex =
          text.kind().listMember().equals(textKind.listMember())
              ? Math.max(textIndex, text.index() + 1)
              : textIndex;
    }
    return beginText(textKind, textIndex);
  }

  ItemText beginText(ItemText.Kind textKind, int textIndex) {
    var text = new ItemText(this, textKind, textIndex);
    texts.add(text);
    return text;
  }

  void closeTexts(OutputListener listener) {
    for (ItemText text : texts) {
      text.close(listener);
    }
  }

  /** Ends the item and returns its document: the announced members with all content added since. */
  Json.Obj finish(String status) {
    Json.Obj item = base.has("status") ? base.with("status", Json.of(status)) : base;
    item =
        switch (kind) {
          case MESSAGE -> item.with("content", parts("content"));
          case REASONING -> withReasoning(item);
          case CALL -> item.with("arguments", textOf(ItemText.Kind.ARGUMENTS));
          case CUSTOM_CALL -> item.with("input", textOf(ItemText.Kind.INPUT));
          case OTHER -> item;
        };
    return finish(Json.object().putAll(item).putAll(endMembers).build());
  }

  /** Ends the item with this document. */
  Json.Obj finish(Json.Obj document) {
    finalDocument = document;
    return document;
  }

  private Json.Obj withReasoning(Json.Obj item) {
    Json.Obj summarized = item.with("summary", parts("summary"));
    return has(ItemText.Kind.REASONING_TEXT)
        ? summarized.with("content", parts("content"))
        : summarized;
  }

  private Json.Str textOf(ItemText.Kind textKind) {
    ItemText text = findText(textKind, 0);
    return text == null ? Json.of("") : text.text();
  }

  private Json.Arr parts(String list) {
    var parts = new ArrayList<Json>();
    for (ItemText text : texts) {
      if (text.kind().listMember().equals(list)) {
        parts.add(text.part());
      }
    }
    return Json.array(parts);
  }

  /**
   * Returns an upstream's document of this item with the texts that the caller received, so that
   * text changed on the way does not reappear.
   */
  Json.Obj withChangedTexts(Json.Obj document) {
    Json.Obj result = document;
    for (ItemText text : texts) {
      String list = text.kind().listMember();
      result =
          list.isEmpty()
              ? withChangedText(result, text)
              : result.list(list) instanceof Json.Arr parts
                  ? withChangedPart(result, list, parts, text)
                  : result;
    }
    return result;
  }

  private static Json.Obj withChangedPart(
      Json.Obj item, String list, Json.Arr parts, ItemText text) {
    if (text.index() >= parts.size() || !(parts.get(text.index()) instanceof Json.Obj part)) {
      return item;
    }
    Json.Obj changed = withChangedText(part, text);
    return changed == part ? item : item.with(list, parts.with(text.index(), changed));
  }

  /**
   * Returns the object with the text and the annotations that were sent to the caller; the same
   * instance if it already has them.
   */
  static Json.Obj withChangedText(Json.Obj holder, ItemText text) {
    String member = text.kind().textMember();
    Json.Obj result =
        holder.get(member) instanceof Json.Str upstreamText && !upstreamText.equals(text.text())
            ? holder.with(member, text.text())
            : holder;
    Json.Arr annotations = text.correctedAnnotations();
    return annotations != null && result.has("annotations")
        ? result.with("annotations", annotations)
        : result;
  }

  /** Returns the length in characters of its texts that are output text. */
  int textLength() {
    int length = 0;
    for (ItemText text : texts) {
      length += text.kind() == ItemText.Kind.TEXT ? text.length() : 0;
    }
    return length;
  }

  /** Returns the document; null before the item is done. */
  Json.@Nullable Obj document() {
    return finalDocument;
  }
}
