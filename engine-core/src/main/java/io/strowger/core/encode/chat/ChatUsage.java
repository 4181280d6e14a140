package io.strowger.core.encode.chat;

import io.strowger.core.encode.Cost;
import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The {@code usage} object of the chat format: the upstream's own with what the gateway counts and
 * charges in it. Chat fact sheet, section 7.
 */
final class ChatUsage {
  private ChatUsage() {}

  /** The usage object of an upstream's frame; null unless it is of this format. */
  static Json.@Nullable Obj given(Json.@Nullable Obj frame) {
    Json.Obj usage = frame == null ? null : frame.object("usage");
    return usage == null || !usage.has("prompt_tokens") ? null : usage;
  }

  /**
   * @param bill null when the answer was not billed
   * @param upstream the upstream's usage object; null when it gave none in this format
   */
  static Json.Obj of(Usage usage, @Nullable Bill bill, Json.@Nullable Obj upstream) {
    Json.Obj.Builder body = Json.object();
    if (upstream != null) {
      body.putAll(upstream);
    }
    body.put("prompt_tokens", usage.promptTokens())
        .put("completion_tokens", usage.completionTokens())
        .put("total_tokens", usage.promptTokens() + usage.completionTokens());
    if (upstream == null) {
      body.put("prompt_tokens_details", promptDetails(usage))
          .put("completion_tokens_details", completionDetails(usage));
    }
    Cost.put(bill, body);
    if (usage.searches() + usage.toolCallsRequested() + usage.toolCallsExecuted() > 0) {
      body.put("server_tool_use_details", serverTools(usage));
    }
    return body.build();
  }

  private static Json.Obj promptDetails(Usage usage) {
    return Json.object()
        .put("cached_tokens", usage.cacheRead())
        .put("cache_write_tokens", usage.cacheWrite5m() + usage.cacheWrite1h())
        .put("audio_tokens", usage.inputAudio())
        .build();
  }

  private static Json.Obj completionDetails(Usage usage) {
    return Json.object()
        .put("reasoning_tokens", usage.reasoning())
        .put("audio_tokens", usage.outputAudio())
        .build();
  }

  private static Json.Obj serverTools(Usage usage) {
    return Json.object()
        .put("web_search_requests", usage.searches())
        .put("tool_calls_requested", usage.toolCallsRequested())
        .put("tool_calls_executed", usage.toolCallsExecuted())
        .build();
  }
}
