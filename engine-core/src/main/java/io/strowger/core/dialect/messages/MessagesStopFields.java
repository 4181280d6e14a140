package io.strowger.core.dialect.messages;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * Writes the members for why an answer ended. Translation fact sheet, section 2; messages fact
 * sheet, section 3.
 */
final class MessagesStopFields {
  private MessagesStopFields() {}

  static String stopReason(StopReason reason) {
    return switch (reason) {
      case END -> "end_turn";
      case STOP_SEQUENCE -> "stop_sequence";
      case LENGTH -> "max_tokens";
      case CONTEXT_WINDOW -> "model_context_window_exceeded";
      case TOOL_CALLS -> "tool_use";
      case CONTENT_FILTER, REFUSAL -> "refusal";
      case PAUSE -> "pause_turn";
      case COMPACTION -> "compaction";
      case ERROR -> throw new IllegalArgumentException("a failed answer has no stop reason");
    };
  }

  /**
   * Returns the stop reason shown to the caller: REFUSAL when the model refused and the upstream
   * ended the answer normally.
   */
  static StopReason callerStopReason(StopReason reason, String refusal) {
    return refusal.isEmpty() || reason != StopReason.END ? reason : StopReason.REFUSAL;
  }

  /**
   * Returns {@code stop_details}: the upstream's if present, otherwise the details of a refusal;
   * JSON null when there was none.
   *
   * @param refusal the text of the refusal; empty when there is none
   */
  static Json details(StopReason reason, String refusal, @Nullable Json upstreamDetails) {
    if (upstreamDetails instanceof Json.Obj details) {
      return details;
    }
    return reason == StopReason.REFUSAL || reason == StopReason.CONTENT_FILTER
        ? Json.object()
            .put("type", "refusal")
            .put("category", Json.NULL)
            .putOrNull("explanation", refusal.isEmpty() ? null : refusal)
            .build()
        : Json.NULL;
  }

  /**
   * Puts the four members for how an answer ended, in place of the upstream's.
   *
   * @param upstream the upstream's members in this format; its further members are kept
   */
  static void put(StopReason reason, String refusal, Json.Obj upstream, Json.Obj.Builder members) {
    StopReason callerReason = callerStopReason(reason, refusal);
    members
        .putAll(upstream)
        .put("stop_reason", stopReason(callerReason))
        .put("stop_sequence", orJsonNull(upstream.get("stop_sequence")))
        .put("stop_details", details(callerReason, refusal, upstream.get("stop_details")))
        .put("container", orJsonNull(upstream.get("container")));
  }

  /** Returns the value of a member that is always present: JSON null when it is missing. */
  static Json orJsonNull(@Nullable Json value) {
    return value == null ? Json.NULL : value;
  }
}
