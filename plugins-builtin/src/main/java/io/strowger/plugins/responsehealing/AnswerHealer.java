package io.strowger.plugins.responsehealing;

import io.strowger.plugins.responsehealing.JsonRepair.ExpectedType;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Repairs the JSON of one answer. */
final class AnswerHealer {
  private final String mode;
  private final ExpectedType expectedType;

  /**
   * The result of a repair and its trace stage; the original answer if it could not be repaired.
   */
  record Healed(Answer answer, TraceEntry.Stage stage) {}

  private AnswerHealer(String mode, ExpectedType expectedType) {
    this.mode = mode;
    this.expectedType = expectedType;
  }

  /** Returns the healer of a format; null when the format is not JSON. */
  static @Nullable AnswerHealer of(@Nullable OutputFormat format) {
    return switch (format) {
      case null -> null;
      case OutputFormat.Text text -> null;
      case OutputFormat.Other other -> null;
      case OutputFormat.JsonObject object -> new AnswerHealer("json_object", ExpectedType.OBJECT);
      case OutputFormat.JsonSchema schema -> new AnswerHealer("json_schema", expectedType(schema));
    };
  }

  private static ExpectedType expectedType(OutputFormat.JsonSchema format) {
    Json.Obj schema = format.schema();
    String type = schema == null ? null : schema.text("type");
    return switch (type) {
      case "object" -> ExpectedType.OBJECT;
      case "array" -> ExpectedType.ARRAY;
      case null, default -> ExpectedType.ANY;
    };
  }

  /**
   * Repairs an answer; returns null when there is nothing to repair, since it is valid JSON or
   * blank, or since the model did not finish it.
   */
  @Nullable Healed heal(Answer answer) {
    String text = text(answer);
    if (!isComplete(answer.stopReason()) || text.isBlank() || JsonSyntax.isValid(text)) {
      return null;
    }
    String repaired = JsonRepair.repairInvalid(text, expectedType);
    return repaired == null
        ? new Healed(answer, stage(false, text, text))
        : new Healed(withText(answer, repaired), stage(true, text, repaired));
  }

  /** Returns whether the model finished the answer and its text is not blank. */
  boolean isCompleteText(Answer answer) {
    return isComplete(answer.stopReason()) && !text(answer).isBlank();
  }

  /**
   * Returns whether the model finished the answer. A truncated answer cannot be repaired, and a
   * refusal is not JSON.
   */
  private static boolean isComplete(StopReason reason) {
    return switch (reason) {
      case END, STOP_SEQUENCE -> true;
      case LENGTH, CONTEXT_WINDOW, TOOL_CALLS, CONTENT_FILTER, REFUSAL, PAUSE, COMPACTION, ERROR ->
          false;
    };
  }

  /** Returns all text of an answer. */
  static String text(Answer answer) {
    var text = new StringBuilder();
    for (Part part : answer.parts()) {
      if (part instanceof Part.Text textPart) {
        text.append(textPart.text().text());
      }
    }
    return text.toString();
  }

  /**
   * Returns the answer with its first text part replaced by this text, and without its other text
   * parts.
   */
  private static Answer withText(Answer answer, String text) {
    List<Part> parts = new ArrayList<>();
    boolean isPlaced = false;
    for (Part part : answer.parts()) {
      if (!(part instanceof Part.Text textPart)) {
        parts.add(part);
      } else if (!isPlaced) {
        parts.add(textPart.withText(text));
        isPlaced = true;
      }
    }
    return new Answer(
        parts, answer.stopReason(), answer.nativeReason(), answer.usage(), answer.dialect(), null);
  }

  private TraceEntry.Stage stage(boolean isImproved, String original, String healed) {
    return new TraceEntry.Stage(
        "response_healing",
        ResponseHealingProvider.ID,
        isImproved
            ? "repaired the JSON of the answer"
            : "the answer is not JSON and stays as it is",
        Json.object()
            .put("mode", mode)
            .put("improved", isImproved)
            .put("original_length", length(original))
            .put("healed_length", length(healed))
            .build());
  }

  /** Returns the length in code points. */
  private static long length(String text) {
    return text.codePointCount(0, text.length());
  }
}
