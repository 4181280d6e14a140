package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Streams a whole item as if it came in fragments; the last event has the unchanged item. */
record WholeItemStreamer(ResponseOutput output, OutputListener listener) {
  void stream(Json.Obj document) {
    Json.Obj initial = initialItem(document);
    OutputItem item = output.beginUpstreamItem(initial);
    notifyListener("added", item, initial);
    switch (item.kind()) {
      case MESSAGE -> streamParts(document.list("content"), item);
      case REASONING -> {
        streamParts(document.list("summary"), item);
        streamParts(document.list("content"), item);
      }
      case CALL -> streamText(ItemText.Kind.ARGUMENTS, 0, document, item);
      case CUSTOM_CALL -> streamText(ItemText.Kind.INPUT, 0, document, item);
      case OTHER -> {}
    }
    notifyListener("done", item, document);
    output.finishUpstreamItem(item, document);
  }

  private void notifyListener(String suffix, OutputItem item, Json.Obj document) {
    listener.onEvent(
        "response.output_item." + suffix,
        Json.object().put("output_index", item.index()).put("item", document).build());
  }

  /** Returns the item without its content, for the first event of a stream. */
  private static Json.Obj initialItem(Json.Obj document) {
    Json.Obj initial = document;
    if (document.has("status")) {
      initial = initial.with("status", Json.of("in_progress"));
    }
    for (String list : new String[] {"content", "summary"}) {
      if (document.list(list) != null) {
        initial = initial.with(list, Json.array());
      }
    }
    for (String text : new String[] {"arguments", "input"}) {
      if (document.get(text) instanceof Json.Str) {
        initial = initial.with(text, Json.of(""));
      }
    }
    return initial;
  }

  private void streamParts(Json.@Nullable Arr parts, OutputItem item) {
    for (int i = 0; parts != null && i < parts.size(); i++) {
      if (parts.get(i) instanceof Json.Obj part) {
        ItemText.Kind kind = ItemText.Kind.ofPart(part);
        if (kind != null) {
          streamText(kind, i, part, item);
        }
      }
    }
  }

  private void streamText(ItemText.Kind kind, int index, Json.Obj holder, OutputItem item) {
    if (!(holder.get(kind.textMember()) instanceof Json.Str text)) {
      return;
    }
    ItemText itemText = item.beginText(kind, index);
    itemText.announce(listener);
    if (!text.isEmpty()) {
      Json.Arr logprobs = holder.list("logprobs");
      itemText.appendText(text, logprobs == null ? Json.array() : logprobs, listener);
    }
    Json.Arr annotations = holder.list("annotations");
    for (int i = 0; annotations != null && i < annotations.size(); i++) {
      if (annotations.get(i) instanceof Json.Obj annotation) {
        itemText.annotate(annotation, listener);
      }
    }
    itemText.close(listener);
    if (kind == ItemText.Kind.REFUSAL) {
      output.markRefusal();
    }
  }
}
