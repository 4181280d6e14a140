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
   * @param given the upstream's object; empty when it gave none in this format
   */
  static Json.Obj soFar(Usage usage, @Nullable String tier, Json.Obj given) {
    return counts(usage, tier, given).build();
  }

  /**
   * Returns the usage of a finished answer, with its cost.
   *
   * @param bill the bill; null when the answer was not billed
   * @param tier as in {@link #soFar}
   * @param given as in {@link #soFar}
   */
  static Json.Obj of(Usage usage, @Nullable Bill bill, @Nullable String tier, Json.Obj given) {
    Json.Obj.Builder body = counts(usage, tier, given);
    CostMembers.put(bill, body);
    return body.build();
  }

  private static Json.Obj.Builder counts(Usage usage, @Nullable String tier, Json.Obj given) {
    return Json.object()
        .putAll(given)
        .put("input_tokens", usage.freshInput() + usage.inputAudio())
        .put("output_tokens", usage.completionTokens())
        .put("cache_creation_input_tokens", usage.cacheWrite5m() + usage.cacheWrite1h())
        .put("cache_read_input_tokens", usage.cacheRead())
        .put("cache_creation", cacheCreation(usage, given.get("cache_creation")))
        .put("output_tokens_details", details(usage, given.get("output_tokens_details")))
        .put("server_tool_use", serverTools(usage, given.get("server_tool_use")))
        .put("inference_geo", MessagesStopFields.orNull(given.get("inference_geo")))
        .put("service_tier", tier(tier, given.get("service_tier")));
  }

  private static Json cacheCreation(Usage usage, @Nullable Json given) {
    if (usage.cacheWrite5m() + usage.cacheWrite1h() == 0) {
      return MessagesStopFields.orNull(given);
    }
    return over(given)
        .put("ephemeral_5m_input_tokens", usage.cacheWrite5m())
        .put("ephemeral_1h_input_tokens", usage.cacheWrite1h())
        .build();
  }

  private static Json details(Usage usage, @Nullable Json given) {
    return usage.reasoning() == 0
        ? MessagesStopFields.orNull(given)
        : over(given).put("thinking_tokens", usage.reasoning()).build();
  }

  private static Json serverTools(Usage usage, @Nullable Json given) {
    if (usage.searches() == 0) {
      return given instanceof Json.Obj ? given : Json.NULL;
    }
    return over(given)
        .put("web_search_requests", usage.searches())
        .put(
            "web_fetch_requests",
            given instanceof Json.Obj own ? own.whole("web_fetch_requests", 0) : 0)
        .build();
  }

  private static Json.Obj.Builder over(@Nullable Json given) {
    Json.Obj.Builder body = Json.object();
    return given instanceof Json.Obj object ? body.putAll(object) : body;
  }

  private static Json tier(@Nullable String tier, @Nullable Json given) {
    return given instanceof Json.Str ? given : Json.of(tier == null ? "standard" : tier);
  }
}
