package io.strowger.providers.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dialect's usage, whose totals include their parts, into classes that do not overlap. A
 * part larger than its total is cut to it, a negative number is none: upstreams send both, and a
 * bill must come out all the same. Translation fact sheet, section 3.
 */
final class ResponsesUsageReader {
  /** Beyond any real answer; keeps sums in range. */
  private static final long MOST = 1_000_000_000_000L;

  private ResponsesUsageReader() {}

  /** What a response says it used; null when it does not say. */
  static @Nullable Usage of(Json.Obj response) {
    Json.Obj usage = response.object("usage");
    if (usage == null) {
      return null;
    }
    Json.Obj inputDetails = usage.object("input_tokens_details");
    Json.Obj outputDetails = usage.object("output_tokens_details");
    long input = count(usage, "input_tokens");
    long output = count(usage, "output_tokens");
    long cached = Math.min(input, count(inputDetails, "cached_tokens"));
    long written = Math.min(input - cached, count(inputDetails, "cache_write_tokens"));
    long reasoned = Math.min(output, count(outputDetails, "reasoning_tokens"));
    return Usage.builder()
        .cacheRead(cached)
        .cacheWrite5m(written)
        .freshInput(input - cached - written)
        .reasoning(reasoned)
        .outputText(output - reasoned)
        .searches(searches(usage, response))
        .build();
  }

  /** Searches are no number of the usage: each is an item of the output. */
  private static long searches(Json.Obj usage, Json.Obj response) {
    long told = count(usage.object("server_tool_use_details"), "web_search_requests");
    Json.Arr output = response.list("output");
    long seen =
        (output == null ? List.<Json>of() : output)
            .stream().filter(ResponsesUsageReader::isSearch).count();
    return Math.max(told, seen);
  }

  private static boolean isSearch(Json item) {
    return item instanceof Json.Obj one && "web_search_call".equals(one.text("type"));
  }

  private static long count(Json.@Nullable Obj from, String name) {
    return from == null ? 0 : Math.clamp(from.whole(name, 0), 0, MOST);
  }
}
