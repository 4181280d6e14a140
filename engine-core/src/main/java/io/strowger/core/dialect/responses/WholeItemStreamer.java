package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Streams a whole item as if it came in fragments; the last event has the unchanged item. */
final class WholeItemStreamer {
  private final ResponseOutput output;
  private final OutputListener listener;

  WholeItemStreamer(ResponseOutput output, OutputListener listener) {
    this.output = output;
    this.listener = listener;
  }

  void stream(Json.Obj document) {
    Json.Obj announced = announced(document);
    OutputItem item = output.beginUpstreamItem(announced);
    told("added", item, announced);
    switch (item.kind()) {
      case MESSAGE -> parts(document.list("content"), item);
      case REASONING -> {
        parts(document.list("summary"), item);
        parts(document.list("content"), item);
      }
      case CALL -> piece(ItemPiece.Kind.ARGUMENTS, 0, document, item);
      case CUSTOM_CALL -> piece(ItemPiece.Kind.INPUT, 0, document, item);
      case OTHER -> {}
    }
    told("done", item, document);
    output.finished(item, document);
  }

  private void told(String what, OutputItem item, Json.Obj document) {
    listener.onEvent(
        "response.output_item." + what,
        Json.object().put("output_index", item.index()).put("item", document).build());
  }

  /** Returns the item without its content, for the first event of a stream. */
  private static Json.Obj announced(Json.Obj document) {
    Json.Obj announced = document;
    if (document.has("status")) {
      announced = announced.with("status", Json.of("in_progress"));
    }
    for (String list : new String[] {"content", "summary"}) {
      if (document.list(list) != null) {
        announced = announced.with(list, Json.array());
      }
    }
    for (String text : new String[] {"arguments", "input"}) {
      if (document.get(text) instanceof Json.Str) {
        announced = announced.with(text, Json.of(""));
      }
    }
    return announced;
  }

  private void parts(Json.@Nullable Arr parts, OutputItem item) {
    for (int i = 0; parts != null && i < parts.size(); i++) {
      if (parts.get(i) instanceof Json.Obj part) {
        ItemPiece.Kind kind = ItemPiece.Kind.ofPart(part);
        if (kind != null) {
          piece(kind, i, part, item);
        }
      }
    }
  }

  private void piece(ItemPiece.Kind kind, int index, Json.Obj holder, OutputItem item) {
    if (!(holder.get(kind.member()) instanceof Json.Str text)) {
      return;
    }
    ItemPiece piece = item.begin(kind, index);
    piece.announce(listener);
    if (!text.isEmpty()) {
      Json.Arr logprobs = holder.list("logprobs");
      piece.appendText(text, logprobs == null ? Json.array() : logprobs, listener);
    }
    Json.Arr annotations = holder.list("annotations");
    for (int i = 0; annotations != null && i < annotations.size(); i++) {
      if (annotations.get(i) instanceof Json.Obj annotation) {
        piece.annotate(annotation, listener);
      }
    }
    piece.close(listener);
    if (kind == ItemPiece.Kind.REFUSAL) {
      output.markRefused();
    }
  }
}
