package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.whole;
import static io.strowger.core.decode.Rules.wholeFrom;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Reading;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;

/** The gateway's tools that find and fetch. Chat fact sheet, section 5; plugins fact sheet, 12. */
final class SearchTools {
  private static final Rule<Json.Arr> DOMAINS = items(name());

  /** {@code router:web_search}, whichever of its names it has. */
  static final Rule<Tool> WEB_SEARCH =
      ToolOptions.listed(
          webSearch().also(SearchTools::oneRestrictionApart).build(), webSearch().build());

  /** {@code router:web_fetch}. */
  static final Members<Json.Obj> WEB_FETCH =
      Members.<Json.Obj>table()
          .optional("allowed_domains", DOMAINS)
          .optional("blocked_domains", DOMAINS)
          .optional("engine", word("auto", "native", "router", "exa", "parallel", "firecrawl"))
          .optional("max_content_tokens", wholeFrom(1))
          .optional("max_uses", wholeFrom(1))
          .build();

  /** {@code router:experimental__search_models}. */
  static final Members<Json.Obj> SEARCH_MODELS =
      Members.<Json.Obj>table().optional("max_results", whole(1, 20)).build();

  /** {@code router:tool_search}. */
  static final Members<Json.Obj> TOOL_SEARCH =
      Members.<Json.Obj>table().optional("max_results", whole(1, 50)).build();

  private SearchTools() {}

  private static Members.Builder<Json.Obj> webSearch() {
    return Members.<Json.Obj>table()
        .optional("allowed_domains", DOMAINS)
        .optional("excluded_domains", DOMAINS)
        .optional("engine", word("native", "exa", "parallel", "firecrawl", "perplexity", "auto"))
        .optional(
            "mode",
            word(
                "instant",
                "fast",
                "auto",
                "deep-lite",
                "deep",
                "deep-reasoning",
                "turbo",
                "basic",
                "advanced"))
        .optional("max_results", whole(1, 25))
        .optional("max_total_results", wholeFrom(1))
        .optional("max_uses", wholeFrom(1))
        .optional("max_characters", whole(1, 100_000))
        .optional("search_context_size", word("low", "medium", "high"))
        .optional("user_location", UserLocation.OF_GATEWAY)
        .also(SearchTools::oneRestriction);
  }

  /** {@code allowed_domains} or {@code excluded_domains}, not both. */
  private static void oneRestriction(Json.Obj options, Reading reading) {
    if (options.get("excluded_domains") instanceof Json.Arr excluded
        && options.get("allowed_domains") instanceof Json.Arr) {
      reading.wrong(
          "excluded_domains", "must not be given together with allowed_domains", excluded);
    }
  }

  /** The same, of one that stands flat and the other under {@code parameters}. */
  private static void oneRestrictionApart(Json.Obj tool, Reading reading) {
    Json.Obj inside = tool.object("parameters");
    if (inside != null) {
      notBoth(tool, "excluded_domains", inside, "allowed_domains", reading);
      notBoth(tool, "allowed_domains", inside, "excluded_domains", reading);
    }
  }

  private static void notBoth(
      Json.Obj tool, String name, Json.Obj inside, String other, Reading reading) {
    if (tool.get(name) instanceof Json.Arr given
        && inside.get(other) instanceof Json.Arr
        && !tool.has(other)) {
      reading.wrong(name, "must not be given together with " + other, given);
    }
  }
}
