package io.strowger.providers.translate;

import io.strowger.spi.model.StopReason;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a dialect's words for the end of an answer mean. A word that is not listed, or none, is that
 * the model was done. Translation fact sheet, section 2.
 */
public enum StopReasons {
  /** {@code finish_reason}. */
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
  /** {@code stop_reason}. */
  MESSAGES(
      Map.of(
          "max_tokens", StopReason.LENGTH,
          "stop_sequence", StopReason.STOP_SEQUENCE,
          "pause_turn", StopReason.PAUSE,
          "compaction", StopReason.COMPACTION,
          "model_context_window_exceeded", StopReason.CONTEXT_WINDOW,
          "refusal", StopReason.REFUSAL)),
  /** The reason an answer is incomplete, or its status. */
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
   * Whether the model asks for tools, or refused, is seen by what was said, not by the word:
   * upstreams say that they stopped beside calls, and that they call tools without any.
   */
  public StopReason of(@Nullable String word, boolean calls, boolean refused) {
    StopReason said = word == null ? null : words.get(word);
    if (said != null) {
      return said;
    }
    return calls ? StopReason.TOOL_CALLS : refused ? StopReason.REFUSAL : StopReason.END;
  }
}
