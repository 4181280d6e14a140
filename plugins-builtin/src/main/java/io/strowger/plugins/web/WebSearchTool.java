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
    return search.unusable(engine(parameters));
  }

  /**
   * Leaves the search to an upstream that can search when the request names no engine or the native
   * one; otherwise the tool uses the default engine.
   */
  @Override
  public @Nullable InferenceRequest delegateToUpstream(
      InferenceRequest request, Tool.Server declared, Catalog catalog) {
    Json.Obj asked = declared.parameters();
    boolean wished = NativeSearch.ENGINE.equals(asked.text("engine"));
    boolean restricted =
        !asked.texts("allowed_domains").isEmpty() || !asked.texts("excluded_domains").isEmpty();
    return wished || search.leavesToUpstream(engine(asked), restricted)
        ? NativeSearch.delegate(without(declared, request), wished, asked, catalog)
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
    Json.Obj asked = call.parameters();
    String missing = unusableReason(asked);
    if (missing != null) {
      throw new ToolException("The search " + missing + ".");
    }
    int results = allowance(call);
    try {
      WebSearch.Found found = search.search(engine(asked), query(query, results, asked), chain);
      return result(found.pages(), chain);
    } catch (WebException failed) {
      throw new ToolException("The search failed: the service " + failed.getMessage() + ".");
    }
  }

  /** Returns the most results this search may have. */
  private static int allowance(Invocation call) throws ToolException {
    Json.Obj asked = call.parameters();
    long uses = asked.whole("max_uses", Long.MAX_VALUE);
    if (call.earlier().size() >= uses) {
      throw new ToolException(
          "No search was made: this request allows " + uses + ". Answer with what was found.");
    }
    long total = asked.whole("max_total_results", MAX_TOTAL_RESULTS);
    long left = total - found(call.earlier());
    if (left <= 0) {
      throw new ToolException(
          "No search was made: this request allows %d results in all, and they were found. Answer with what was found."
              .formatted(total));
    }
    return (int) Math.min(left, asked.whole("max_results", MAX_RESULTS));
  }

  private static long found(List<Json> earlier) {
    long found = 0;
    for (Json read : earlier) {
      if (read instanceof Json.Obj one && one.list("results") instanceof Json.Arr results) {
        found += results.size();
      }
    }
    return found;
  }

  private static SearchEngine.Query query(String text, int results, Json.Obj asked) {
    Json.Obj location = asked.object("user_location");
    return new SearchEngine.Query(
        text,
        asked.text("mode"),
        results,
        characters(asked),
        asked.texts("allowed_domains"),
        asked.texts("excluded_domains"),
        location == null ? null : location.text("country"));
  }

  /** Returns the most characters of one result; 0 when the request sets no limit. */
  private static int characters(Json.Obj asked) {
    long most = asked.whole("max_characters", 0);
    String size = asked.text("search_context_size");
    if (most > 0 || size == null) {
      return (int) Math.min(most, WebSearch.MAX_CHARACTERS);
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
