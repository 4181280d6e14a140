package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A tool a request declares. Immutable; {@code source} as in {@link Part}. */
public sealed interface Tool {
  @Nullable Json source();

  /**
   * The name under which a search for tools finds it; null when the model knows it from the start.
   * A tool is deferred whose {@code defer_loading} is true. Plugins fact sheet, section 12, {@code
   * tool_search}.
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
   * A tool the gateway runs, or the upstream's own search of the web.
   *
   * @param type such as {@code router:datetime}
   */
  record Server(String type, Json.Obj parameters, @Nullable Json source) implements Tool {
    /**
     * Type of the upstream's own search of the web. The parameters are those of {@code
     * router:web_search}. An adapter declares it in the form its dialect has for it, and tells what
     * does not fit as a loss. No caller can declare it: plugins do, for endpoints that support
     * {@code web_search_options}.
     */
    public static final String UPSTREAM_SEARCH = "upstream:web_search";

    /** Returns the upstream's own search of the web. */
    public static Server upstreamSearch(Json.Obj parameters) {
      return new Server(UPSTREAM_SEARCH, parameters, null);
    }

    /** Whether this is the upstream's own search of the web, which alone leaves for an upstream. */
    public boolean isUpstreamSearch() {
      return type.equals(UPSTREAM_SEARCH);
    }
  }

  /** Returns the parameters of the upstream's own search, if one is among these tools. */
  static Json.@Nullable Obj upstreamSearch(List<Tool> tools) {
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
