package io.strowger.providers.chat;

import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;

/**
 * Reads the dialect's usage, whose totals include their parts, into counts that do not overlap. A
 * part larger than its total is reduced to the total, and a negative number is read as 0: upstreams
 * send both, and the bill must still be computed. Translation fact sheet, section 3.
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
    var built = Usage.builder();
    long left = prompt;
    long cached = Math.min(left, UsageCounts.of(promptDetails, "cached_tokens"));
    left -= cached;
    long written = Math.min(left, UsageCounts.of(promptDetails, "cache_write_tokens"));
    left -= written;
    long sound = Math.min(left, UsageCounts.of(promptDetails, "audio_tokens"));
    built.cacheRead(cached).cacheWrite5m(written).inputAudio(sound).freshInput(left - sound);
    long reasoned = Math.min(output, reasoning);
    long spoken = Math.min(output - reasoned, UsageCounts.of(outputDetails, "audio_tokens"));
    built.reasoning(reasoned).outputAudio(spoken).outputText(output - reasoned - spoken);
    return built.searches(searches(usage)).build();
  }

  private static long searches(Json.Obj usage) {
    return Math.max(
        UsageCounts.of(usage.object("server_tool_use"), "web_search_requests"),
        UsageCounts.of(usage.object("server_tool_use_details"), "web_search_requests"));
  }
}
