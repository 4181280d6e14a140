package io.strowger.providers.chat;

import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;

/**
 * Reads the dialect's usage, whose totals include their parts, into counts that do not overlap.
 * Some upstreams send a part larger than its total, or a negative number. The bill must still be
 * computed, so the part is reduced to the total, and the negative number is read as 0. Translation
 * fact sheet, section 3.
 */
final class ChatUsageReader {
  private ChatUsageReader() {}

  static Usage of(Json.Obj usage) {
    Json.Obj promptDetails = usage.object("prompt_tokens_details");
    Json.Obj outputDetails = usage.object("completion_tokens_details");
    long total = UsageCounts.of(usage, "total_tokens");
    long output = UsageCounts.of(usage, "completion_tokens");
    long prompt = UsageCounts.of(usage, "prompt_tokens");
    long reasoning = UsageCounts.of(outputDetails, "reasoning_tokens");
    if (!usage.has("prompt_tokens") && total > output) {
      prompt = total - output;
    }
    if (reasoning > 0 && total == prompt + output + reasoning) {
      output += reasoning; // this upstream does not include reasoning in the completion count
    }
    var builder = Usage.builder();
    long promptLeft = prompt;
    long cached = Math.min(promptLeft, UsageCounts.of(promptDetails, "cached_tokens"));
    promptLeft -= cached;
    long cacheWritten = Math.min(promptLeft, UsageCounts.of(promptDetails, "cache_write_tokens"));
    promptLeft -= cacheWritten;
    long inputAudio = Math.min(promptLeft, UsageCounts.of(promptDetails, "audio_tokens"));
    builder
        .cacheRead(cached)
        .cacheWrite5m(cacheWritten)
        .inputAudio(inputAudio)
        .freshInput(promptLeft - inputAudio);
    long reasoningTokens = Math.min(output, reasoning);
    long outputAudio =
        Math.min(output - reasoningTokens, UsageCounts.of(outputDetails, "audio_tokens"));
    builder
        .reasoning(reasoningTokens)
        .outputAudio(outputAudio)
        .outputText(output - reasoningTokens - outputAudio);
    return builder.searches(searches(usage)).build();
  }

  private static long searches(Json.Obj usage) {
    return Math.max(
        UsageCounts.of(usage.object("server_tool_use"), "web_search_requests"),
        UsageCounts.of(usage.object("server_tool_use_details"), "web_search_requests"));
  }
}
