package io.strowger.providers.responses;

import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dialect's usage, whose totals include their parts, into counts that do not overlap. A
 * part larger than its total is cut to it, and a negative number counts as 0: upstreams send both,
 * and the bill must still be computed. Translation fact sheet, section 3.
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
    long written = Math.min(input - cached, UsageCounts.of(inputDetails, "cache_write_tokens"));
    long reasoned = Math.min(output, UsageCounts.of(outputDetails, "reasoning_tokens"));
    return Usage.builder()
        .cacheRead(cached)
        .cacheWrite5m(written)
        .freshInput(input - cached - written)
        .reasoning(reasoned)
        .outputText(output - reasoned)
        .searches(searches(usage, response))
        .build();
  }

  /** Returns the searches: the reported count or the items of the output, if more. */
  private static long searches(Json.Obj usage, Json.Obj response) {
    long told = UsageCounts.of(usage.object("server_tool_use_details"), "web_search_requests");
    Json.Arr output = response.list("output");
    long seen =
        (output == null ? List.<Json>of() : output)
            .stream().filter(ResponsesUsageReader::isSearch).count();
    return Math.max(told, seen);
  }

  private static boolean isSearch(Json item) {
    return item instanceof Json.Obj one && "web_search_call".equals(one.text("type"));
  }
}
