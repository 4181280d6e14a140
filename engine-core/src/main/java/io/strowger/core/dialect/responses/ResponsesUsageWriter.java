package io.strowger.core.dialect.responses;

import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Writes the {@code usage} object of this dialect: the upstream's, overwritten with what the
 * gateway counts and charges. Responses fact sheet, "Response"; translation fact sheet, section 3.
 */
final class ResponsesUsageWriter {
  private ResponsesUsageWriter() {}

  /**
   * @param bill the bill; null when the answer was not billed
   * @param upstream the upstream's usage object; null when it gave none in this dialect
   */
  static Json.Obj of(Usage usage, @Nullable Bill bill, Json.@Nullable Obj upstream) {
    Json.Obj.Builder body = Json.object();
    if (upstream != null) {
      body.putAll(upstream);
    }
    body.put("input_tokens", usage.promptTokens())
        .put(
            "input_tokens_details",
            details("input_tokens_details", upstream)
                .put("cached_tokens", usage.cacheRead())
                .put("cache_write_tokens", usage.cacheWrite5m() + usage.cacheWrite1h())
                .build())
        .put("output_tokens", usage.completionTokens())
        .put(
            "output_tokens_details",
            details("output_tokens_details", upstream)
                .put("reasoning_tokens", usage.reasoning())
                .build())
        .put("total_tokens", usage.promptTokens() + usage.completionTokens())
        .put("cost", bill == null ? Json.NULL : bill.total().json())
        .put("is_byok", bill != null && bill.byok())
        .put("cost_details", bill == null ? Json.NULL : costDetails(bill));
    if (usage.toolCallsRequested() + usage.toolCallsExecuted() + usage.searches() > 0) {
      body.put("server_tool_use_details", toolUseDetails(usage));
    }
    return body.build();
  }

  private static Json.Obj.Builder details(String name, Json.@Nullable Obj upstream) {
    Json.Obj upstreamDetails = upstream == null ? null : upstream.object(name);
    Json.Obj.Builder details = Json.object();
    if (upstreamDetails != null) {
      details.putAll(upstreamDetails);
    }
    return details;
  }

  private static Json.Obj costDetails(Bill bill) {
    return Json.object()
        .put("upstream_inference_cost", bill.upstreamCost().json())
        .put("upstream_inference_input_cost", bill.prompt().json())
        .put("upstream_inference_output_cost", bill.completion().json())
        .build();
  }

  private static Json.Obj toolUseDetails(Usage usage) {
    return Json.object()
        .put("web_search_requests", usage.searches())
        .put("tool_calls_requested", usage.toolCallsRequested())
        .put("tool_calls_executed", usage.toolCallsExecuted())
        .build();
  }
}
