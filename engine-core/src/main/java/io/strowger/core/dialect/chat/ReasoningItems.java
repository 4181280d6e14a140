package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the fragments of reasoning in a stream: fragments with the same index form one item of
 * {@code reasoning_details}. Confined to one thread.
 */
final class ReasoningItems {
  private int nextIndex;
  private boolean isOpen;
  private boolean isSummary;
  private @Nullable String format;
  private @Nullable String id;

  /**
   * Returns the delta for a fragment of reasoning, as plain text and as the item that callers send
   * back.
   */
  Json.Obj fragment(Event.ReasoningDelta event) {
    if (!isOpen || !continuesItem(event)) {
      nextIndex++;
    }
    isOpen = true;
    isSummary = event.summary();
    format = event.format();
    id = event.id();
    return Json.object()
        .put("reasoning", event.text())
        .putAll(delta(ReasoningDetailsWriter.fragment(nextIndex - 1, event)))
        .build();
  }

  private boolean continuesItem(Event.ReasoningDelta event) {
    return isSummary == event.summary()
        && Objects.equals(format, event.format())
        && Objects.equals(id, event.id());
  }

  /** Returns the delta for a signature, with an index of its own if no reasoning text is open. */
  Json.Obj signature(Event.ReasoningSignature event) {
    if (!isOpen || isSummary) {
      nextIndex++;
    }
    isOpen = false;
    return delta(
        ReasoningDetailsWriter.signature(nextIndex - 1, event.signature(), event.format()));
  }

  Json.Obj encrypted(Event.EncryptedReasoning event) {
    isOpen = false;
    return delta(
        ReasoningDetailsWriter.encrypted(nextIndex++, event.data(), event.id(), event.format()));
  }

  Json.Obj run(Part.ServerToolRun run) {
    isOpen = false;
    return delta(ReasoningDetailsWriter.ofRun(nextIndex++, run));
  }

  /** Ends the current item, so that the next fragment begins another. */
  void close() {
    isOpen = false;
  }

  private static Json.Obj delta(Json.Obj item) {
    return Json.object().put("reasoning_details", Json.array(item)).build();
  }
}
