package io.strowger.core.attempt;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the collected output of one answer against the budget of its request. Text and arguments
 * that continue the event just before are appended to that event, so only their bytes are counted;
 * everything else is counted as a new object.
 *
 * <p>Confined to the thread that reads the answer.
 */
final class CollectedOutput {
  /** The bytes that a collector keeps for an event in addition to its content. */
  private static final int BYTES_PER_OBJECT = 256;

  /** The bytes that a value of a frame occupies in addition to its text. */
  private static final long BYTES_PER_VALUE = 40;

  private final OutputBudget.Share budget;
  private @Nullable Object lastPiece; // what the next event may continue

  private enum TextKind {
    ANSWER,
    REASONING,
    SUMMARY,
    REFUSAL
  }

  CollectedOutput(OutputBudget.Share budget) {
    this.budget = budget;
  }

  /**
   * Counts one event.
   *
   * @return false when there is no memory left to collect it
   */
  boolean tryAdd(Event event) {
    return budget.tryReserve(weight(event));
  }

  /** Keeps a complete answer open until its parts are no longer used. */
  void keepOpen(EventStream answer) {
    budget.keepOpen(answer);
  }

  private long weight(Event event) {
    return switch (event) {
      case Event.TextDelta e ->
          textBytes(TextKind.ANSWER, e.text()) + probabilityBytes(e.template());
      case Event.ReasoningDelta e ->
          textBytes(e.summary() ? TextKind.SUMMARY : TextKind.REASONING, e.text())
              + probabilityBytes(e.template());
      case Event.RefusalDelta e -> textBytes(TextKind.REFUSAL, e.text());
      case Event.ToolCallDelta e -> callBytes(e);
      case Event.Annotation e -> objectBytes(frameBytes(e.body()) + frameBytes(e.frame()));
      case Event.ReasoningSignature e ->
          objectBytes(e.signature().utf8Bound() + frameBytes(e.frame()));
      case Event.EncryptedReasoning e -> objectBytes(e.data().utf8Bound() + frameBytes(e.frame()));
      case Event.Logprobs e -> objectBytes(e.content().writtenLength());
      case Event.OtherContent e -> objectBytes(frameBytes(e.frame()));
      case Event.BlockStart e -> objectBytes(frameBytes(e.frame()));
      case Event.BlockStop e -> objectBytes(frameBytes(e.frame()));
      case Event.Started e -> objectBytes(frameBytes(e.frame()));
      case Event.ServerToolRun e -> 0; // the gateway's own
      case Event.UpstreamBodyEcho e -> 0; // the gateway's own
      case Event.AudioDelta e -> e.size();
      case Event.UsageReport e -> 0; // the next one replaces it
      case Event.Finished e -> e.frame() == null ? 0 : objectBytes(frameBytes(e.frame()));
      case Event.Failed e -> 0;
      case Event.CompleteAnswer e -> 0; // came in one document, which its adapter bounds
    };
  }

  private long textBytes(TextKind kind, Json.Str text) {
    boolean continues = kind == lastPiece;
    lastPiece = kind;
    return text.utf8Bound() + (continues ? 0L : BYTES_PER_OBJECT);
  }

  /**
   * Returns the bytes of a piece of a call; until the call has a name, each piece counts as an
   * object.
   */
  private long callBytes(Event.ToolCallDelta piece) {
    Integer index = piece.index();
    boolean begins = piece.id() != null || piece.name() != null;
    if (!begins && index.equals(lastPiece)) {
      return piece.arguments().utf8Bound();
    }
    lastPiece = piece.name() == null ? null : index;
    return BYTES_PER_OBJECT + piece.arguments().utf8Bound() + frameBytes(piece.frame());
  }

  private long objectBytes(long bytes) {
    lastPiece = null;
    return BYTES_PER_OBJECT + bytes;
  }

  /** Returns the bytes of the token probabilities kept besides a text. */
  private static long probabilityBytes(@Nullable FrameTemplate template) {
    if (template == null) {
      return 0;
    }
    Json.Obj frame = template.firstFrame();
    Json.Arr choices = frame.list("choices");
    boolean hasProbabilities =
        choices != null && !choices.isEmpty() && choices.get(0) instanceof Json.Obj choice
            ? choice.object("logprobs") != null
            : frame.list("logprobs") instanceof Json.Arr list && !list.isEmpty();
    return hasProbabilities ? BYTES_PER_OBJECT + template.length() : 0;
  }

  private static long frameBytes(Json.@Nullable Obj frame) {
    return frame == null ? 0 : frame.writtenLength() + BYTES_PER_VALUE * countValues(frame);
  }

  /**
   * Returns the number of values in a document, since short ones take more memory than their text.
   */
  private static long countValues(Json json) {
    long count = 1;
    if (json instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        count += countValues(object.value(i));
      }
    } else if (json instanceof Json.Arr items) {
      for (Json item : items) {
        count += countValues(item);
      }
    }
    return count;
  }
}
