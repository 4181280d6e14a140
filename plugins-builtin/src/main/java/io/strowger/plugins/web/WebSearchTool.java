package io.strowger.plugins.web;

import io.strowger.plugins.web.SearchEngine.Page;
import io.strowger.plugins.webclient.WebException;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code router:web_search}: searches the web for a model. A search that fails or exceeds a limit
 * of the request gives an error text that the model reads. Plugins fact sheet, section 12.
 *
 * @param search searches with the configured engines
 */
record WebSearchTool(WebSearch search) implements ServerTool {
  /** The tool's type in a request. */
  static final String TYPE = "router:web_search";

  private static final int MAX_RESULTS = 5;
  private static final int MAX_TOTAL_RESULTS = 50;

  private static final Spec SPEC =
      new Spec(
          TYPE,
          "Searches the web and returns addresses, titles and excerpts of pages.",
          Json.object()
              .put("type", "object")
              .put(
                  "properties",
                  Json.object()
                      .put(
                          "query",
                          Json.object()
                              .put("type", "string")
                              .put("description", "What to look for, in words.")
                              .build())
                      .build())
              .put("required", Json.array(Json.of("query")))
              .build());

  @Override
  public Spec spec() {
    return SPEC;
  }

  /** Resources fact sheet, section 6: no search that the gateway runs is available in batches. */
  @Override
  public boolean runsInBatches() {
    return false;
  }

  @Override
  public @Nullable String unusableReason(Json.Obj parameters) {
    return search.unusableReason(engine(parameters));
  }

  /**
   * Leaves the search to an upstream that can search when the request names no engine or the native
   * one; otherwise the tool uses the default engine.
   */
  @Override
  public @Nullable InferenceRequest delegateToUpstream(
      InferenceRequest request, Tool.Server declared, Catalog catalog) {
    Json.Obj parameters = declared.parameters();
    boolean isNativeRequested = NativeSearch.ENGINE.equals(parameters.text("engine"));
    boolean hasDomainRules =
        !parameters.texts("allowed_domains").isEmpty()
            || !parameters.texts("excluded_domains").isEmpty();
    return isNativeRequested || search.isLeftToUpstream(engine(parameters), hasDomainRules)
        ? NativeSearch.delegate(without(declared, request), isNativeRequested, parameters, catalog)
        : null;
  }

  private static InferenceRequest without(Tool.Server declared, InferenceRequest request) {
    return request.toBuilder()
        .tools(request.tools().stream().filter(tool -> tool != declared).toList())
        .build();
  }

  /** Returns the named engine; null for none or the native one, which this tool cannot run. */
  private static @Nullable String engine(Json.Obj parameters) {
    String engine = parameters.text("engine");
    return engine == null || engine.equals("auto") || engine.equals(NativeSearch.ENGINE)
        ? null
        : engine;
  }

  @Override
  public Json run(Invocation call, Chain chain) throws ToolException {
    String query = call.arguments().text("query");
    if (query == null || query.isBlank()) {
      throw new ToolException("query must say what to look for, in words");
    }
    Json.Obj parameters = call.parameters();
    String unusableReason = unusableReason(parameters);
    if (unusableReason != null) {
      throw new ToolException("The search " + unusableReason + ".");
    }
    int maxResults = remainingResults(call);
    try {
      WebSearch.Result searchResult =
          search.search(engine(parameters), query(query, maxResults, parameters), chain);
      return result(searchResult.pages(), chain);
    } catch (WebException e) {
      throw new ToolException("The search failed: the service " + e.getMessage() + ".");
    }
  }

  /** Returns the most results this search may have. */
  private static int remainingResults(Invocation call) throws ToolException {
    Json.Obj parameters = call.parameters();
    long maxUses = parameters.longValue("max_uses", Long.MAX_VALUE);
    if (call.earlierResults().size() >= maxUses) {
      throw new ToolException(
          "No search was made: this request allows at most "
              + (maxUses == 1 ? "1 search" : maxUses + " searches")
              + ". Answer with what was found.");
    }
    long maxTotalResults = parameters.longValue("max_total_results", MAX_TOTAL_RESULTS);
    long left = maxTotalResults - countResults(call.earlierResults());
    if (left <= 0) {
      throw new ToolException(
          "No search was made: this request allows %d results in total, and all of them were found. Answer with what was found."
              .formatted(maxTotalResults));
    }
    return (int) Math.min(left, parameters.longValue("max_results", MAX_RESULTS));
  }

  private static long countResults(List<Json> earlier) {
    long count = 0;
    for (Json output : earlier) {
      if (output instanceof Json.Obj object && object.list("results") instanceof Json.Arr results) {
        count += results.size();
      }
    }
    return count;
  }

  private static SearchEngine.Query query(String text, int results, Json.Obj parameters) {
    Json.Obj location = parameters.object("user_location");
    return new SearchEngine.Query(
        text,
        parameters.text("mode"),
        results,
        maxCharacters(parameters),
        parameters.texts("allowed_domains"),
        parameters.texts("excluded_domains"),
        location == null ? null : location.text("country"));
  }

  /** Returns the most characters of one result; 0 when the request sets no limit. */
  private static int maxCharacters(Json.Obj parameters) {
    long maxCharacters = parameters.longValue("max_characters", 0);
    String size = parameters.text("search_context_size");
    if (maxCharacters > 0 || size == null) {
      return (int) Math.min(maxCharacters, WebSearch.MAX_CHARACTERS);
    }
    return switch (size) {
      case "low" -> 5_000;
      case "high" -> 30_000;
      default -> 15_000;
    };
  }

  private static Json result(List<Page> pages, Chain chain) {
    var results = new ArrayList<Json>();
    for (Page page : pages) {
      WebSearch.cite(page, chain);
      results.add(
          Json.object()
              .put("url", page.url())
              .put("title", page.title())
              .put("text", page.text())
              .build());
    }
    return Json.object().put("results", Json.array(results)).build();
  }
}
