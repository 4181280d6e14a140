package io.strowger.core.encode;

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
    body.put("cost", bill == null ? Json.NULL : Json.of(bill.total().dollars()))
        .put("is_byok", bill != null && bill.byok())
        .put("cost_details", bill == null ? Json.NULL : costDetails(bill));
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

  private static Json.Obj costDetails(Bill bill) {
    return Json.object()
        .put("upstream_inference_cost", Json.of(bill.prompt().plus(bill.completion()).dollars()))
        .put("upstream_inference_prompt_cost", Json.of(bill.prompt().dollars()))
        .put("upstream_inference_completions_cost", Json.of(bill.completion().dollars()))
        .build();
  }
}
