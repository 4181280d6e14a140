package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tool a request declares. Immutable. {@code source} and {@code extras} have the same meaning as
 * in {@link Part}.
 */
public sealed interface Tool {
  @Nullable Json source();

  /**
   * Returns the name by which a tool search finds this tool when it is deferred; null when the
   * model knows the tool from the start. A tool is deferred when its {@code defer_loading} is true.
   * Plugins fact sheet, section 12, {@code tool_search}.
   */
  default @Nullable String deferredName() {
    return switch (this) {
      case Function function -> isDeferred(function.extras()) ? function.name() : null;
      case Server server -> null;
      case Unknown unknown ->
          unknown.source() instanceof Json.Obj tool && isDeferred(tool) ? tool.text("name") : null;
    };
  }

  private static boolean isDeferred(Json.Obj members) {
    return Json.TRUE.equals(members.get("defer_loading"));
  }

  /**
   * A function the caller runs.
   *
   * @param parameters JSON Schema of the arguments; null when it was not given
   */
  record Function(
      String name,
      @Nullable String description,
      Json.@Nullable Obj parameters,
      Json.Obj extras,
      @Nullable Json source)
      implements Tool {}

  /**
   * A tool the gateway runs, or the upstream's own web search.
   *
   * @param type the type of the tool, such as {@code router:datetime}
   */
  record Server(String type, Json.Obj parameters, @Nullable Json source) implements Tool {
    /**
     * The type of the upstream's own web search. The parameters are those of {@code
     * router:web_search}. An adapter declares it in the form of its dialect, and reports what does
     * not fit as a loss. Callers cannot declare it; plugins do, for endpoints that support {@code
     * web_search_options}.
     */
    public static final String UPSTREAM_SEARCH = "upstream:web_search";

    /** Returns the upstream's own web search with the given parameters. */
    public static Server upstreamSearch(Json.Obj parameters) {
      return new Server(UPSTREAM_SEARCH, parameters, null);
    }

    /**
     * Returns whether this is the upstream's own web search: the only server tool an upstream gets.
     */
    public boolean isUpstreamSearch() {
      return type.equals(UPSTREAM_SEARCH);
    }
  }

  /**
   * Returns the parameters of the upstream's own web search; null when no tool is the upstream's
   * own web search.
   */
  static Json.@Nullable Obj upstreamSearchParameters(List<Tool> tools) {
    for (Tool tool : tools) {
      if (tool instanceof Server server && server.isUpstreamSearch()) {
        return server.parameters();
      }
    }
    return null;
  }

  /** A tool of a type this engine does not know: kept and passed on. */
  record Unknown(String type, Json source) implements Tool {}
}
