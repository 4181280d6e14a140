package io.strowger.providers.responses;

import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dialect's usage, whose totals include their parts, into counts that do not overlap.
 * Some upstreams send a part larger than its total, or a negative number. The bill must still be
 * computed, so the part is reduced to the total, and the negative number is read as 0. Translation
 * fact sheet, section 3.
 */
final class ResponsesUsageReader {
  private ResponsesUsageReader() {}

  /** Returns the usage of a response; null when it reports none. */
  static @Nullable Usage of(Json.Obj response) {
    Json.Obj usage = response.object("usage");
    if (usage == null) {
      return null;
    }
    Json.Obj inputDetails = usage.object("input_tokens_details");
    Json.Obj outputDetails = usage.object("output_tokens_details");
    long input = UsageCounts.of(usage, "input_tokens");
    long output = UsageCounts.of(usage, "output_tokens");
    long cached = Math.min(input, UsageCounts.of(inputDetails, "cached_tokens"));
    long cacheWrites = Math.min(input - cached, UsageCounts.of(inputDetails, "cache_write_tokens"));
    long reasoning = Math.min(output, UsageCounts.of(outputDetails, "reasoning_tokens"));
    return Usage.builder()
        .cacheRead(cached)
        .cacheWrite5m(cacheWrites)
        .freshInput(input - cached - cacheWrites)
        .reasoning(reasoning)
        .outputText(output - reasoning)
        .searches(searches(usage, response))
        .build();
  }

  /** Returns the searches: the reported count, or the number in the output if that is larger. */
  private static long searches(Json.Obj usage, Json.Obj response) {
    long reported = UsageCounts.of(usage.object("server_tool_use_details"), "web_search_requests");
    Json.Arr output = response.list("output");
    long itemCount =
        (output == null ? List.<Json>of() : output)
            .stream().filter(ResponsesUsageReader::isSearch).count();
    return Math.max(reported, itemCount);
  }

  private static boolean isSearch(Json item) {
    return item instanceof Json.Obj object && "web_search_call".equals(object.text("type"));
  }
}
