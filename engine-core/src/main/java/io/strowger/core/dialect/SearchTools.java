package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;

/**
 * The options of the gateway's tools that search or fetch. Chat fact sheet, section 5; plugins fact
 * sheet, section 12.
 */
final class SearchTools {
  private static final Rule<Json.Arr> DOMAINS = items(name());

  /**
   * The rule for {@code router:web_search}, under any of its names. The first table is for options
   * that are members of the tool itself, the second for those under {@code parameters}; only the
   * first sees both places, so only it compares them.
   */
  static final Rule<Tool> WEB_SEARCH =
      ToolOptions.withKnownOptions(
          webSearch().addRule(SearchTools::rejectSplitDomainLists).build(), webSearch().build());

  /** The options of {@code router:web_fetch}. */
  static final MemberTable<Json.Obj> WEB_FETCH =
      MemberTable.<Json.Obj>table()
          .optional("allowed_domains", DOMAINS)
          .optional("blocked_domains", DOMAINS)
          .optional("engine", wordAmong("auto", "native", "router", "exa", "parallel", "firecrawl"))
          .optional("max_content_tokens", integerAtLeast(1))
          .optional("max_uses", integerAtLeast(1))
          .build();

  /** The options of {@code router:experimental__search_models}. */
  static final MemberTable<Json.Obj> SEARCH_MODELS =
      MemberTable.<Json.Obj>table().optional("max_results", integer(1, 20)).build();

  /** The options of {@code router:tool_search}. */
  static final MemberTable<Json.Obj> TOOL_SEARCH =
      MemberTable.<Json.Obj>table().optional("max_results", integer(1, 50)).build();

  private SearchTools() {}

  private static MemberTable.Builder<Json.Obj> webSearch() {
    return MemberTable.<Json.Obj>table()
        .optional("allowed_domains", DOMAINS)
        .optional("excluded_domains", DOMAINS)
        .optional(
            "engine", wordAmong("native", "exa", "parallel", "firecrawl", "perplexity", "auto"))
        .optional(
            "mode",
            wordAmong(
                "instant",
                "fast",
                "auto",
                "deep-lite",
                "deep",
                "deep-reasoning",
                "turbo",
                "basic",
                "advanced"))
        .optional("max_results", integer(1, 25))
        .optional("max_total_results", integerAtLeast(1))
        .optional("max_uses", integerAtLeast(1))
        .optional("max_characters", integer(1, 100_000))
        .optional("search_context_size", wordAmong("low", "medium", "high"))
        .optional("user_location", SharedMembers.USER_LOCATION)
        .addRule(SearchTools::rejectBothDomainLists);
  }

  /** Rejects {@code excluded_domains} beside {@code allowed_domains}. */
  private static void rejectBothDomainLists(Json.Obj options, DecodingContext context) {
    if (options.get("excluded_domains") instanceof Json.Arr excluded
        && options.get("allowed_domains") instanceof Json.Arr) {
      context.reject(
          "excluded_domains", "must not be given together with allowed_domains", excluded);
    }
  }

  /**
   * Rejects the two lists when one is a member of the tool itself and the other is under {@code
   * parameters}.
   */
  private static void rejectSplitDomainLists(Json.Obj tool, DecodingContext context) {
    Json.Obj parameters = tool.object("parameters");
    if (parameters != null) {
      rejectBoth(tool, "excluded_domains", parameters, "allowed_domains", context);
      rejectBoth(tool, "allowed_domains", parameters, "excluded_domains", context);
    }
  }

  private static void rejectBoth(
      Json.Obj tool, String name, Json.Obj parameters, String otherName, DecodingContext context) {
    if (tool.get(name) instanceof Json.Arr value
        && parameters.get(otherName) instanceof Json.Arr
        && !tool.has(otherName)) {
      context.reject(name, "must not be given together with " + otherName, value);
    }
  }
}
