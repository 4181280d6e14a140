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
  private final boolean foreign;
  private final List<ItemPiece> pieces = new ArrayList<>();
  private Json.Obj added = Json.Obj.EMPTY;
  private boolean sealed;
  private Json.@Nullable Obj done;

  /**
   * @param index the index of the item in the output, from 0
   * @param base the item as it was announced
   * @param foreign whether the upstream announced the item; then the upstream also ends it
   */
  OutputItem(Kind kind, int index, Json.Obj base, boolean foreign) {
    this.kind = kind;
    this.index = index;
    this.base = base;
    this.foreign = foreign;
  }

  Kind kind() {
    return kind;
  }

  int index() {
    return index;
  }

  boolean isForeign() {
    return foreign;
  }

  boolean isDone() {
    return done != null;
  }

  String id() {
    return said("id");
  }

  String name() {
    return said("name");
  }

  String callId() {
    return said("call_id");
  }

  private String said(String member) {
    String text = base.text(member);
    return text == null ? "" : text;
  }

  /** Returns whether only the end of the item may follow. */
  boolean isSealed() {
    return sealed;
  }

  void seal() {
    sealed = true;
  }

  /** Adds a member that is written only at the end of the item. */
  void add(String name, Json value) {
    added = added.with(name, value);
  }

  boolean has(ItemPiece.Kind wanted) {
    return pieces.stream().anyMatch(piece -> piece.kind() == wanted);
  }

  /** Returns the last text if it has this kind and is open, otherwise null. */
  @Nullable ItemPiece open(ItemPiece.Kind wanted) {
    ItemPiece last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
    return last != null && last.kind() == wanted && last.isOpen() ? last : null;
  }

  @Nullable ItemPiece find(ItemPiece.Kind wanted, int at) {
    for (ItemPiece piece : pieces) {
      if (piece.kind() == wanted && piece.index() == at) {
        return piece;
      }
    }
    return null;
  }

  ItemPiece begin(ItemPiece.Kind wanted) {
    int place = 0;
    for (ItemPiece piece : pieces) {
      place =
          piece.kind().list().equals(wanted.list()) ? Math.max(place, piece.index() + 1) : place;
    }
    return begin(wanted, place);
  }

  ItemPiece begin(ItemPiece.Kind wanted, int at) {
    var piece = new ItemPiece(this, wanted, at);
    pieces.add(piece);
    return piece;
  }

  void closePieces(OutputListener listener) {
    for (ItemPiece piece : pieces) {
      piece.close(listener);
    }
  }

  /** Ends the item and returns its document: the announced members with all content added since. */
  Json.Obj finish(String status) {
    Json.Obj item = base.has("status") ? base.with("status", Json.of(status)) : base;
    item =
        switch (kind) {
          case MESSAGE -> item.with("content", parts("content"));
          case REASONING -> reasoning(item);
          case CALL -> item.with("arguments", whole(ItemPiece.Kind.ARGUMENTS));
          case CUSTOM_CALL -> item.with("input", whole(ItemPiece.Kind.INPUT));
          case OTHER -> item;
        };
    return finish(Json.object().putAll(item).putAll(added).build());
  }

  /** Ends the item with this document. */
  Json.Obj finish(Json.Obj document) {
    done = document;
    return document;
  }

  private Json.Obj reasoning(Json.Obj item) {
    Json.Obj summarized = item.with("summary", parts("summary"));
    return has(ItemPiece.Kind.THOUGHT) ? summarized.with("content", parts("content")) : summarized;
  }

  private Json.Str whole(ItemPiece.Kind wanted) {
    ItemPiece piece = find(wanted, 0);
    return piece == null ? Json.of("") : piece.text();
  }

  private Json.Arr parts(String list) {
    var parts = new ArrayList<Json>();
    for (ItemPiece piece : pieces) {
      if (piece.kind().list().equals(list)) {
        parts.add(piece.part());
      }
    }
    return Json.array(parts);
  }

  /**
   * Returns an upstream's document of this item with the texts that the caller received, so that
   * text changed on the way does not reappear.
   */
  Json.Obj withChangedTexts(Json.Obj document) {
    Json.Obj told = document;
    for (ItemPiece piece : pieces) {
      String list = piece.kind().list();
      told =
          list.isEmpty()
              ? withChangedText(told, piece)
              : told.list(list) instanceof Json.Arr parts ? with(told, list, parts, piece) : told;
    }
    return told;
  }

  private static Json.Obj with(Json.Obj item, String list, Json.Arr parts, ItemPiece piece) {
    if (piece.index() >= parts.size() || !(parts.get(piece.index()) instanceof Json.Obj part)) {
      return item;
    }
    Json.Obj corrected = withChangedText(part, piece);
    return corrected == part ? item : item.with(list, parts.with(piece.index(), corrected));
  }

  /**
   * Returns the object with the text and the annotations that were sent to the caller; the same
   * instance if it already has them.
   */
  static Json.Obj withChangedText(Json.Obj holder, ItemPiece piece) {
    String member = piece.kind().member();
    Json.Obj told =
        holder.get(member) instanceof Json.Str given && !given.equals(piece.text())
            ? holder.with(member, piece.text())
            : holder;
    Json.Arr annotations = piece.correctedAnnotations();
    return annotations != null && told.has("annotations")
        ? told.with("annotations", annotations)
        : told;
  }

  /** Returns the length in characters of its texts that are output text. */
  int textLength() {
    int length = 0;
    for (ItemPiece piece : pieces) {
      length += piece.kind() == ItemPiece.Kind.TEXT ? piece.length() : 0;
    }
    return length;
  }

  /** Returns the document; null before the item is done. */
  Json.@Nullable Obj document() {
    return done;
  }
}
