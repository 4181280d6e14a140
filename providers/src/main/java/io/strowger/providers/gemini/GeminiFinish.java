package io.strowger.providers.gemini;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * The reason why an answer ended: the finish reason of the candidate or, if there is no candidate,
 * the reason why the prompt was blocked. Translation fact sheet, section 2.
 *
 * @param upstreamReason the upstream's reason; null when it gave none
 * @param message the upstream's explanation; null when it gave none
 * @param isPromptBlocked whether the reason is that of a blocked prompt
 */
record GeminiFinish(
    @Nullable String upstreamReason, @Nullable String message, boolean isPromptBlocked) {

  /** Reads the finish of a complete answer or of a frame. */
  static GeminiFinish of(Json.Obj document) {
    Json.Obj candidate = candidate(document);
    Json.Obj feedback = document.object("promptFeedback");
    if (candidate != null) {
      return new GeminiFinish(finishReason(candidate), candidate.text("finishMessage"), false);
    }
    String reason = feedback == null ? null : feedback.text("blockReason");
    String message = feedback == null ? null : feedback.text("blockReasonMessage");
    return new GeminiFinish(reason, message, reason != null);
  }

  /** Returns the first candidate, as only one is requested; null when there is none. */
  static Json.@Nullable Obj candidate(Json.Obj document) {
    Json.Arr candidates = document.list("candidates");
    return candidates != null
            && !candidates.isEmpty()
            && candidates.get(0) instanceof Json.Obj first
        ? first
        : null;
  }

  /** Returns the finish reason; null when it is absent, empty or unspecified. */
  private static @Nullable String finishReason(Json.Obj candidate) {
    String word = candidate.text("finishReason");
    return word == null || word.isEmpty() || word.equals("FINISH_REASON_UNSPECIFIED") ? null : word;
  }

  /**
   * Returns the engine's stop reason.
   *
   * @param hasCalls whether the answer has tool calls, for which the dialect has no finish reason
   */
  StopReason reason(boolean hasCalls) {
    if (isPromptBlocked) {
      return StopReason.CONTENT_FILTER;
    }
    StopReason stopReason = stopReason(upstreamReason == null ? "STOP" : upstreamReason);
    return stopReason == StopReason.END && hasCalls ? StopReason.TOOL_CALLS : stopReason;
  }

  private static StopReason stopReason(String word) {
    return switch (word) {
      case "MAX_TOKENS" -> StopReason.LENGTH;
      case "SAFETY",
          "RECITATION",
          "LANGUAGE",
          "BLOCKLIST",
          "PROHIBITED_CONTENT",
          "SPII",
          "IMAGE_SAFETY",
          "IMAGE_PROHIBITED_CONTENT",
          "IMAGE_RECITATION" ->
          StopReason.CONTENT_FILTER;
      case "OTHER",
          "MALFORMED_FUNCTION_CALL",
          "MALFORMED_RESPONSE",
          "MISSING_THOUGHT_SIGNATURE",
          "UNEXPECTED_TOOL_CALL",
          "TOO_MANY_TOOL_CALLS",
          "NO_IMAGE",
          "IMAGE_OTHER" ->
          StopReason.ERROR;
      default -> StopReason.END;
    };
  }

  /** Returns the failure for {@link StopReason#ERROR}; another endpoint may succeed. */
  Failure failure() {
    String explanation = message == null ? "" : ": " + message;
    return Failure.of(
        FailureKind.UNAVAILABLE,
        "the upstream ended its answer with " + upstreamReason + explanation);
  }
}
