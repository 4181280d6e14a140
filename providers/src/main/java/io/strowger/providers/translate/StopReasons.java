package io.strowger.providers.translate;

import io.strowger.spi.model.StopReason;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maps a dialect's stop words to stop reasons. An unlisted or missing word means that the model
 * ended by itself. Translation fact sheet, section 2.
 */
public enum StopReasons {
  /** The values of {@code finish_reason}. */
  CHAT(
      Map.ofEntries(
          Map.entry("length", StopReason.LENGTH),
          Map.entry("max_tokens", StopReason.LENGTH),
          Map.entry("max_output_tokens", StopReason.LENGTH),
          Map.entry("content_filter", StopReason.CONTENT_FILTER),
          Map.entry("safety", StopReason.CONTENT_FILTER),
          Map.entry("refusal", StopReason.REFUSAL),
          Map.entry("stop_sequence", StopReason.STOP_SEQUENCE),
          Map.entry("model_context_window_exceeded", StopReason.CONTEXT_WINDOW),
          Map.entry("model_length", StopReason.CONTEXT_WINDOW),
          Map.entry("error", StopReason.ERROR))),
  /** The values of {@code stop_reason}. */
  MESSAGES(
      Map.of(
          "max_tokens", StopReason.LENGTH,
          "stop_sequence", StopReason.STOP_SEQUENCE,
          "pause_turn", StopReason.PAUSE,
          "compaction", StopReason.COMPACTION,
          "model_context_window_exceeded", StopReason.CONTEXT_WINDOW,
          "refusal", StopReason.REFUSAL)),
  /** The values of {@code incomplete_details.reason} and of {@code status}. */
  RESPONSES(
      Map.of(
          "max_output_tokens", StopReason.LENGTH,
          "max_tokens", StopReason.LENGTH,
          "incomplete", StopReason.LENGTH,
          "content_filter", StopReason.CONTENT_FILTER));

  @SuppressWarnings("ImmutableEnumChecker") // Map.of
  private final Map<String, StopReason> words;

  StopReasons(Map<String, StopReason> words) {
    this.words = words;
  }

  /**
   * Returns the stop reason. Tool calls and refusals are recognised by content, not by the word:
   * upstreams report a stop despite calls, and calls without any.
   */
  public StopReason of(@Nullable String word, boolean hasCalls, boolean hasRefusal) {
    StopReason reason = word == null ? null : words.get(word);
    if (reason != null) {
      return reason;
    }
    return hasCalls ? StopReason.TOOL_CALLS : hasRefusal ? StopReason.REFUSAL : StopReason.END;
  }
}
