package io.strowger.providers.chat;

import io.strowger.spi.model.StopReason;
import org.jspecify.annotations.Nullable;

/** What the dialect's {@code finish_reason} means. Translation fact sheet, section 2. */
final class ChatStopReasons {
  private ChatStopReasons() {}

  /**
   * That the model wants tools called is seen by its calls, not by the word: upstreams say {@code
   * stop} beside calls, and {@code tool_calls} without any.
   */
  static StopReason reason(@Nullable String word, boolean calls, boolean refused) {
    StopReason said = said(word);
    if (said != StopReason.END && said != StopReason.TOOL_CALLS) {
      return said;
    }
    if (calls) {
      return StopReason.TOOL_CALLS;
    }
    return refused ? StopReason.REFUSAL : StopReason.END;
  }

  private static StopReason said(@Nullable String word) {
    return switch (word == null ? "stop" : word) {
      case "length", "max_tokens", "max_output_tokens" -> StopReason.LENGTH;
      case "tool_calls", "function_call", "tool_use" -> StopReason.TOOL_CALLS;
      case "content_filter", "safety" -> StopReason.CONTENT_FILTER;
      case "refusal" -> StopReason.REFUSAL;
      case "stop_sequence" -> StopReason.STOP_SEQUENCE;
      case "model_context_window_exceeded", "model_length" -> StopReason.CONTEXT_WINDOW;
      case "error" -> StopReason.ERROR;
      default -> StopReason.END;
    };
  }
}
