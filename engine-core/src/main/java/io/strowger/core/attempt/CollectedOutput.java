package io.strowger.core.attempt;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the collected output of one answer against the budget of its request. Text and arguments
 * that continue the event just before are appended to it, so only their bytes are counted;
 * everything else is counted as a new object.
 *
 * <p>Confined to the thread that reads the answer.
 */
final class CollectedOutput {
  /** The bytes that a collector keeps for an event in addition to its content. */
  private static final int OBJECT = 256;

  /** The bytes that a value of a frame occupies in addition to its text. */
  private static final long VALUE = 40;

  private final OutputBudget.Share budget;
  private @Nullable Object open; // what the next event may continue

  private enum Text {
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
  boolean add(Event event) {
    return budget.take(weight(event));
  }

  /** Keeps a complete answer open until its parts are no longer used. */
  void keep(EventStream answer) {
    budget.keep(answer);
  }

  private long weight(Event event) {
    return switch (event) {
      case Event.TextDelta e -> text(Text.ANSWER, e.text()) + probabilities(e.template());
      case Event.ReasoningDelta e ->
          text(e.summary() ? Text.SUMMARY : Text.REASONING, e.text()) + probabilities(e.template());
      case Event.RefusalDelta e -> text(Text.REFUSAL, e.text());
      case Event.ToolCallDelta e -> call(e);
      case Event.Annotation e -> object(size(e.body()) + size(e.frame()));
      case Event.ReasoningSignature e -> object(e.signature().utf8Bound() + size(e.frame()));
      case Event.EncryptedReasoning e -> object(e.data().utf8Bound() + size(e.frame()));
      case Event.Logprobs e -> object(e.content().writtenLength());
      case Event.UnmodelledContent e -> object(size(e.frame()));
      case Event.BlockStart e -> object(size(e.frame()));
      case Event.BlockStop e -> object(size(e.frame()));
      case Event.Started e -> object(size(e.frame()));
      case Event.ServerToolRun e -> 0; // the gateway's own
      case Event.UpstreamBodyEcho e -> 0; // the gateway's own
      case Event.AudioDelta e -> e.size();
      case Event.UsageReport e -> 0; // the next one replaces it
      case Event.Finished e -> e.frame() == null ? 0 : object(size(e.frame()));
      case Event.Failed e -> 0;
      case Event.CompleteAnswer e -> 0; // came in one document, which its adapter bounds
    };
  }

  private long text(Text kind, Json.Str said) {
    boolean continues = kind == open;
    open = kind;
    return said.utf8Bound() + (continues ? 0L : OBJECT);
  }

  /**
   * Returns the bytes of a piece of a call; until the call has a name, each piece counts as an
   * object.
   */
  private long call(Event.ToolCallDelta piece) {
    Integer index = piece.index();
    boolean begins = piece.id() != null || piece.name() != null;
    if (!begins && index.equals(open)) {
      return piece.arguments().utf8Bound();
    }
    open = piece.name() == null ? null : index;
    return OBJECT + piece.arguments().utf8Bound() + size(piece.frame());
  }

  private long object(long bytes) {
    open = null;
    return OBJECT + bytes;
  }

  /** Returns the bytes of the token probabilities kept besides a text. */
  private static long probabilities(@Nullable FrameTemplate template) {
    if (template == null) {
      return 0;
    }
    Json.Obj frame = template.example();
    Json.Arr choices = frame.list("choices");
    boolean given =
        choices != null && !choices.isEmpty() && choices.get(0) instanceof Json.Obj choice
            ? choice.object("logprobs") != null
            : frame.list("logprobs") instanceof Json.Arr list && !list.isEmpty();
    return given ? OBJECT + template.bytes() : 0;
  }

  private static long size(Json.@Nullable Obj frame) {
    return frame == null ? 0 : frame.writtenLength() + VALUE * values(frame);
  }

  /**
   * Returns the number of values in a document, since short ones take more memory than their text.
   */
  private static long values(Json json) {
    long values = 1;
    if (json instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        values += values(object.value(i));
      }
    } else if (json instanceof Json.Arr items) {
      for (Json item : items) {
        values += values(item);
      }
    }
    return values;
  }
}
