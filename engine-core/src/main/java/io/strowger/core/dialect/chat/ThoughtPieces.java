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
final class ThoughtPieces {
  private int next;
  private boolean open;
  private boolean summary;
  private @Nullable String format;
  private @Nullable String id;

  /**
   * Returns the delta for a fragment of reasoning, as plain text and as the item that callers send
   * back.
   */
  Json.Obj piece(Event.ReasoningDelta piece) {
    if (!open || !goesOn(piece)) {
      next++;
    }
    open = true;
    summary = piece.summary();
    format = piece.format();
    id = piece.id();
    return Json.object()
        .put("reasoning", piece.text())
        .putAll(delta(ReasoningDetailsWriter.piece(next - 1, piece)))
        .build();
  }

  private boolean goesOn(Event.ReasoningDelta piece) {
    return summary == piece.summary()
        && Objects.equals(format, piece.format())
        && Objects.equals(id, piece.id());
  }

  /** Returns the delta for a signature, with an index of its own if no reasoning text is open. */
  Json.Obj signature(Event.ReasoningSignature event) {
    if (!open || summary) {
      next++;
    }
    open = false;
    return delta(ReasoningDetailsWriter.signature(next - 1, event.signature(), event.format()));
  }

  Json.Obj encrypted(Event.EncryptedReasoning event) {
    open = false;
    return delta(
        ReasoningDetailsWriter.encrypted(next++, event.data(), event.id(), event.format()));
  }

  Json.Obj run(Part.ServerToolRun run) {
    open = false;
    return delta(ReasoningDetailsWriter.ofRun(next++, run));
  }

  /** Ends the current item, so that the next fragment begins another. */
  void close() {
    open = false;
  }

  private static Json.Obj delta(Json.Obj item) {
    return Json.object().put("reasoning_details", Json.array(item)).build();
  }
}
