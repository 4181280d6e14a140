package io.strowger.core.dialect.messages;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.StopReason;
import org.jspecify.annotations.Nullable;

/** Why an answer ended. Translation fact sheet, section 2; messages fact sheet, section 3. */
final class MessagesStopFields {
  private MessagesStopFields() {}

  static String word(StopReason reason) {
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

  /** Some upstreams end a refusal like any other answer. */
  static StopReason callerStopReason(StopReason reason, String refusal) {
    return refusal.isEmpty() || reason != StopReason.END ? reason : StopReason.REFUSAL;
  }

  /**
   * {@code stop_details}: the upstream's when it gave some, otherwise what is known of a refusal.
   *
   * @param refusal what the model said instead of an answer; may be empty
   */
  static Json details(StopReason reason, String refusal, @Nullable Json given) {
    if (given instanceof Json.Obj details) {
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
   * The four members that say how an answer ended, over what an upstream of this format said.
   *
   * @param given the upstream's members; may hold others, which are kept
   */
  static void put(StopReason reason, String refusal, Json.Obj given, Json.Obj.Builder members) {
    StopReason told = callerStopReason(reason, refusal);
    members
        .putAll(given)
        .put("stop_reason", word(told))
        .put("stop_sequence", orNull(given.get("stop_sequence")))
        .put("stop_details", details(told, refusal, given.get("stop_details")))
        .put("container", orNull(given.get("container")));
  }

  /** A member that is always there, null when nobody gave it. */
  static Json orNull(@Nullable Json given) {
    return given == null ? Json.NULL : given;
  }
}
