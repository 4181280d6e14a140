package io.strowger.providers.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.StopReason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why a response ended. Translation fact sheet, section 2. */
final class ResponsesStopReasons {
  private ResponsesStopReasons() {}

  /**
   * The upstream's own word: the reason an answer is incomplete, otherwise the status; null when it
   * gave neither.
   */
  static @Nullable String word(Json.Obj response) {
    Json.Obj details = response.object("incomplete_details");
    String reason = details == null ? null : details.text("reason");
    return reason == null ? response.text("status") : reason;
  }

  /**
   * What that means. The dialect has no word for calls and none for a refusal: both are seen by
   * what was said.
   *
   * @param word as of {@link #word}
   */
  static StopReason reason(@Nullable String word, boolean calls, boolean refused) {
    return switch (Objects.requireNonNullElse(word, "completed")) {
      case "max_output_tokens", "max_tokens", "incomplete" -> StopReason.LENGTH;
      case "content_filter" -> StopReason.CONTENT_FILTER;
      default -> calls ? StopReason.TOOL_CALLS : refused ? StopReason.REFUSAL : StopReason.END;
    };
  }
}
