package io.strowger.core.dialect.messages;

import io.strowger.core.dialect.CostMembers;
import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Writes the {@code usage} object of the messages format: the upstream's own, overwritten with what
 * the gateway counts and charges. Input tokens exclude those read from a cache or written to one.
 * Messages fact sheet, section 3.
 */
final class MessagesUsageWriter {
  private MessagesUsageWriter() {}

  /**
   * Returns the usage known when an answer begins; nothing is charged yet.
   *
   * @param tier the service tier of the endpoint; null for the default tier
   * @param upstream the upstream's object; empty when it gave none in this format
   */
  static Json.Obj initialUsage(Usage usage, @Nullable String tier, Json.Obj upstream) {
    return counts(usage, tier, upstream).build();
  }

  /**
   * Returns the usage of a finished answer, with its cost.
   *
   * @param bill the bill; null when the answer was not billed
   * @param tier as in {@link #initialUsage}
   * @param upstream as in {@link #initialUsage}
   */
  static Json.Obj finalUsage(
      Usage usage, @Nullable Bill bill, @Nullable String tier, Json.Obj upstream) {
    Json.Obj.Builder body = counts(usage, tier, upstream);
    CostMembers.put(bill, body);
    return body.build();
  }

  private static Json.Obj.Builder counts(Usage usage, @Nullable String tier, Json.Obj upstream) {
    return Json.object()
        .putAll(upstream)
        .put("input_tokens", usage.freshInput() + usage.inputAudio())
        .put("output_tokens", usage.completionTokens())
        .put("cache_creation_input_tokens", usage.cacheWrite5m() + usage.cacheWrite1h())
        .put("cache_read_input_tokens", usage.cacheRead())
        .put("cache_creation", cacheCreation(usage, upstream.get("cache_creation")))
        .put("output_tokens_details", details(usage, upstream.get("output_tokens_details")))
        .put("server_tool_use", serverTools(usage, upstream.get("server_tool_use")))
        .put("inference_geo", MessagesStopFields.orJsonNull(upstream.get("inference_geo")))
        .put("service_tier", tier(tier, upstream.get("service_tier")));
  }

  private static Json cacheCreation(Usage usage, @Nullable Json upstream) {
    if (usage.cacheWrite5m() + usage.cacheWrite1h() == 0) {
      return MessagesStopFields.orJsonNull(upstream);
    }
    return copyOf(upstream)
        .put("ephemeral_5m_input_tokens", usage.cacheWrite5m())
        .put("ephemeral_1h_input_tokens", usage.cacheWrite1h())
        .build();
  }

  private static Json details(Usage usage, @Nullable Json upstream) {
    return usage.reasoning() == 0
        ? MessagesStopFields.orJsonNull(upstream)
        : copyOf(upstream).put("thinking_tokens", usage.reasoning()).build();
  }

  private static Json serverTools(Usage usage, @Nullable Json upstream) {
    if (usage.searches() == 0) {
      return upstream instanceof Json.Obj ? upstream : Json.NULL;
    }
    return copyOf(upstream)
        .put("web_search_requests", usage.searches())
        .put(
            "web_fetch_requests",
            upstream instanceof Json.Obj details ? details.longValue("web_fetch_requests", 0) : 0)
        .build();
  }

  private static Json.Obj.Builder copyOf(@Nullable Json upstream) {
    Json.Obj.Builder body = Json.object();
    return upstream instanceof Json.Obj object ? body.putAll(object) : body;
  }

  private static Json tier(@Nullable String tier, @Nullable Json upstream) {
    return upstream instanceof Json.Str ? upstream : Json.of(tier == null ? "standard" : tier);
  }
}
