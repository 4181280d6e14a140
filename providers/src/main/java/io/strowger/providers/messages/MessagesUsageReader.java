package io.strowger.providers.messages;

import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dialect's usage, whose input excludes the cached tokens and whose output includes the
 * thinking, into counts that do not overlap. A part larger than its total is reduced to the total,
 * and a negative number counts as 0. Translation fact sheet, section 3.
 */
final class MessagesUsageReader {
  /** The limit of compactions kept; an answer has one or two. */
  private static final int MAX_COMPACTIONS = 100;

  private static final Json.Obj COMPACTION = Json.object().put("type", "compaction").build();

  private static final List<String> COUNT_MEMBERS =
      List.of(
          "input_tokens",
          "output_tokens",
          "cache_creation_input_tokens",
          "cache_read_input_tokens");

  private static final Map<String, List<String>> DETAIL_MEMBERS =
      Map.of(
          "cache_creation", List.of("ephemeral_1h_input_tokens", "ephemeral_5m_input_tokens"),
          "output_tokens_details", List.of("thinking_tokens"),
          "server_tool_use", List.of("web_search_requests"));

  private MessagesUsageReader() {}

  static Usage of(Json.Obj usage) {
    Usage total = readSingle(usage);
    Json.Arr iterations = usage.list("iterations");
    for (int i = 0; iterations != null && i < iterations.size(); i++) {
      // the totals are those of the answer; compactions are not included
      if (iterations.get(i) instanceof Json.Obj part && "compaction".equals(part.text("type"))) {
        total = total.plus(readSingle(part));
      }
    }
    return total;
  }

  private static Usage readSingle(Json.Obj usage) {
    Json.Obj cacheCreation = usage.object("cache_creation");
    long hourWrites = UsageCounts.of(cacheCreation, "ephemeral_1h_input_tokens");
    long fiveMinuteWrites = UsageCounts.of(cacheCreation, "ephemeral_5m_input_tokens");
    long cacheWrites =
        Math.max(
            UsageCounts.of(usage, "cache_creation_input_tokens"), hourWrites + fiveMinuteWrites);
    long output = UsageCounts.of(usage, "output_tokens");
    long thinking =
        Math.min(output, UsageCounts.of(usage.object("output_tokens_details"), "thinking_tokens"));
    return Usage.builder()
        .freshInput(UsageCounts.of(usage, "input_tokens"))
        .cacheRead(UsageCounts.of(usage, "cache_read_input_tokens"))
        .cacheWrite1h(hourWrites)
        .cacheWrite5m(cacheWrites - hourWrites)
        .outputText(output - thinking)
        .reasoning(thinking)
        .searches(UsageCounts.of(usage.object("server_tool_use"), "web_search_requests"))
        .build();
  }

  /**
   * Merges two reports. Counts are cumulative: a later count replaces an earlier one and is never
   * added. Keeps only the members read here, and no reference to the frames of the reports.
   */
  static Json.Obj merge(Json.Obj earlier, Json.Obj later) {
    Json.Obj.Builder merged = Json.object().putAll(earlier);
    for (String count : COUNT_MEMBERS) {
      if (later.has(count) && !(later.get(count) instanceof Json.Null)) {
        merged.put(count, UsageCounts.of(later, count));
      }
    }
    DETAIL_MEMBERS.forEach(
        (part, counts) -> {
          if (later.has(part) && !(later.get(part) instanceof Json.Null)) {
            merged.put(part, counts(later.object(part), counts));
          }
        });
    Json.Arr iterations = later.list("iterations");
    if (iterations != null) {
      merged.put("iterations", compactions(iterations));
    }
    return merged.build();
  }

  private static Json.Obj counts(Json.@Nullable Obj details, List<String> names) {
    Json.Obj.Builder counts = Json.object();
    names.forEach(name -> counts.put(name, UsageCounts.of(details, name)));
    return counts.build();
  }

  private static Json.Arr compactions(Json.Arr iterations) {
    var compactions = new ArrayList<Json>();
    for (int i = 0; i < iterations.size() && compactions.size() < MAX_COMPACTIONS; i++) {
      if (iterations.get(i) instanceof Json.Obj part && "compaction".equals(part.text("type"))) {
        compactions.add(merge(COMPACTION, part.without("iterations")));
      }
    }
    return Json.array(compactions);
  }
}
