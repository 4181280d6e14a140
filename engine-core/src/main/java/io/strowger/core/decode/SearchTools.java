package io.strowger.core.decode;

import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.whole;
import static io.strowger.core.decode.Rules.wholeFrom;
import static io.strowger.core.decode.Rules.word;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.List;

/** The gateway's tools that find and fetch. Chat fact sheet, section 5; plugins fact sheet, 12. */
final class SearchTools {
  private static final Rule<Json.Arr> DOMAINS = items(name());

  /** {@code router:web_search}. */
  static final Members<Json.Obj> WEB_SEARCH = webSearch().build();

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

  /** The options of {@code router:web_search}, flat or under {@code parameters}. */
  private static final Members<Json.Obj> SHORTHAND =
      webSearch()
          .optional("parameters", Members.kept(WEB_SEARCH))
          .also(SearchTools::inOnePlace)
          .build();

  private static final List<String> OPTIONS =
      List.of(
          "allowed_domains",
          "excluded_domains",
          "engine",
          "mode",
          "max_results",
          "max_total_results",
          "max_uses",
          "max_characters",
          "search_context_size",
          "user_location");

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
        .optional("user_location", UserLocation.RULE)
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

  /** Options are flat or under {@code parameters}, not here and there. */
  private static void inOnePlace(Json.Obj tool, Reading reading) {
    boolean nested = tool.object("parameters") != null;
    for (int i = 0; nested && i < tool.size(); i++) {
      if (OPTIONS.contains(tool.name(i))) {
        reading.wrong(tool.name(i), "must not be given beside parameters", tool.value(i));
      }
    }
  }

  /** One of the plain spellings of {@code router:web_search}. */
  static Rule<Tool> shorthand(String type) {
    return Members.made(SHORTHAND, tool -> new Tool.Server(type, options(tool), tool));
  }

  private static Json.Obj options(Json.Obj tool) {
    Json.Obj parameters = tool.object("parameters");
    if (parameters != null) {
      return parameters;
    }
    var flat = Json.object();
    for (int i = 0; i < tool.size(); i++) {
      if (OPTIONS.contains(tool.name(i))) {
        flat.put(tool.name(i), tool.value(i));
      }
    }
    return flat.build();
  }
}
