package io.strowger.providers.messages;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * Maps the dialect's {@code stop_reason} to {@link StopReason}. Translation fact sheet, section 2.
 */
final class MessagesStopReasons {
  private MessagesStopReasons() {}

  /**
   * Maps a stop reason. Whether the model asks for tools is decided by its calls, not by the
   * reason.
   *
   * @param ending the members that say how the answer ended
   */
  static StopReason reason(Json.@Nullable Obj ending, boolean calls) {
    String word = ending == null ? null : ending.text("stop_reason");
    StopReason said =
        switch (word == null ? "end_turn" : word) {
          case "max_tokens" -> StopReason.LENGTH;
          case "stop_sequence" -> StopReason.STOP_SEQUENCE;
          case "pause_turn" -> StopReason.PAUSE;
          case "compaction" -> StopReason.COMPACTION;
          case "model_context_window_exceeded" -> StopReason.CONTEXT_WINDOW;
          case "refusal" ->
              details(ending) == null ? StopReason.CONTENT_FILTER : StopReason.REFUSAL;
          default -> StopReason.END;
        };
    return said == StopReason.END && calls ? StopReason.TOOL_CALLS : said;
  }

  private static Json.@Nullable Obj details(Json.@Nullable Obj ending) {
    return ending == null ? null : ending.object("stop_details");
  }

  /** Returns the upstream's explanation of a refusal; empty when it gave none. */
  static String explanation(Json.@Nullable Obj ending) {
    Json.Obj details = details(ending);
    String said = details == null ? null : details.text("explanation");
    return said == null ? "" : said.strip();
  }
}
