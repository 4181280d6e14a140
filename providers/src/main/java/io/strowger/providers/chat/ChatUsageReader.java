package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dialect's usage, whose totals include their parts, into classes that do not overlap. A
 * part larger than its total is cut to it, a negative number is none: upstreams send both, and a
 * bill must come out all the same. Translation fact sheet, section 3.
 */
final class ChatUsageReader {
  /** Beyond any real answer; keeps sums in range. */
  private static final long MOST = 1_000_000_000_000L;

  private ChatUsageReader() {}

  static Usage of(Json.Obj usage) {
    Json.Obj promptDetails = usage.object("prompt_tokens_details");
    Json.Obj outputDetails = usage.object("completion_tokens_details");
    long total = count(usage, "total_tokens");
    long output = count(usage, "completion_tokens");
    long prompt = count(usage, "prompt_tokens");
    long reasoning = count(outputDetails, "reasoning_tokens");
    if (!usage.has("prompt_tokens") && total > output) {
      prompt = total - output;
    }
    if (reasoning > 0 && total == prompt + output + reasoning) {
      output += reasoning; // an upstream that counts reasoning beside the completion
    }
    var built = Usage.builder();
    long left = prompt;
    long cached = Math.min(left, count(promptDetails, "cached_tokens"));
    left -= cached;
    long written = Math.min(left, count(promptDetails, "cache_write_tokens"));
    left -= written;
    long sound = Math.min(left, count(promptDetails, "audio_tokens"));
    built.cacheRead(cached).cacheWrite5m(written).inputAudio(sound).freshInput(left - sound);
    long reasoned = Math.min(output, reasoning);
    long spoken = Math.min(output - reasoned, count(outputDetails, "audio_tokens"));
    built.reasoning(reasoned).outputAudio(spoken).outputText(output - reasoned - spoken);
    return built.searches(searches(usage)).build();
  }

  private static long searches(Json.Obj usage) {
    return Math.max(
        count(usage.object("server_tool_use"), "web_search_requests"),
        count(usage.object("server_tool_use_details"), "web_search_requests"));
  }

  private static long count(Json.@Nullable Obj from, String name) {
    return from == null ? 0 : Math.clamp(from.whole(name, 0), 0, MOST);
  }
}
