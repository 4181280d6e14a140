package io.strowger.providers.responses;

import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.translate.ToolMembers;
import io.strowger.providers.translate.UpstreamSearch;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes tools: a tool with a source as its source, any other from its fields. In this dialect the
 * members of a function are not nested.
 */
final class ResponsesToolWriter {
  private static final String GATEWAY_PREFIX = "router:";

  private ResponsesToolWriter() {}

  static Json json(Tool tool) {
    Json source = tool.source();
    return source == null ? newTool(tool) : source;
  }

  private static Json newTool(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> function(function);
      case Tool.Server server -> server(server);
      case Tool.Unknown unknown -> unknown.source();
    };
  }

  /** Writes a function; {@code parameters} is mandatory in this dialect, even if null. */
  private static Json function(Tool.Function tool) {
    var function = Json.object().put("type", "function").put("name", tool.name());
    if (tool.description() != null) {
      function.put("description", tool.description());
    }
    return function
        .put("parameters", tool.parameters() == null ? Json.NULL : tool.parameters())
        .putAll(tool.extras())
        .build();
  }

  private static Json server(Tool.Server tool) {
    if (tool.isUpstreamSearch()) {
      return search(new UpstreamSearch(tool.parameters()));
    }
    var server = Json.object().put("type", tool.type());
    if (tool.parameters().size() > 0) {
      server.put("parameters", tool.parameters());
    }
    return server.build();
  }

  /** Writes the upstream's search tool, which accepts only a list of allowed domains. */
  private static Json search(UpstreamSearch search) {
    var tool = Json.object().put("type", "web_search");
    List<Json> allowed = search.allowedDomains();
    if (!allowed.isEmpty()) {
      Json.Obj filters = Json.object().put("allowed_domains", Json.array(allowed)).build();
      tool.put("filters", filters);
    }
    Json size = search.contextSize();
    if (size != null) {
      tool.put("search_context_size", size);
    }
    Json location = search.location();
    if (location != null) {
      tool.put("user_location", location);
    }
    return tool.build();
  }

  /** Reports the parts of a search request that this dialect cannot express. */
  static void reportSearchLosses(List<Tool> tools, Losses losses) {
    UpstreamSearch search = UpstreamSearch.findIn(tools);
    if (search != null && !search.excludedDomains().isEmpty()) {
      losses.dropped("excluded_domains", "a search accepts only allowed domains in this dialect");
    }
  }

  /** Returns the tools that are sent upstream: all but those the gateway runs. */
  static List<Tool> forUpstream(List<Tool> tools) {
    return tools.isEmpty() ? tools : tools.stream().filter(ResponsesToolWriter::isSent).toList();
  }

  /**
   * Returns the same as {@link #forUpstream}, but only the upstream's search if the endpoint
   * accepts no tools.
   */
  static List<Tool> forEndpoint(Call call) {
    List<Tool> sentTools = forUpstream(call.request().tools());
    return sentTools.isEmpty() || call.endpoint().supports(Parameter.TOOLS)
        ? sentTools
        : sentTools.stream().filter(tool -> tool instanceof Tool.Server).toList();
  }

  private static boolean isSent(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> true;
      case Tool.Server server -> server.isUpstreamSearch();
      case Tool.Unknown unknown -> !isGatewayType(unknown.type());
    };
  }

  /** Returns whether a type of a tool, an item or a choice is known to the gateway only. */
  static boolean isGatewayType(@Nullable String type) {
    return type != null && type.startsWith(GATEWAY_PREFIX);
  }

  /** Returns the list without the gateway's own tools; the same list when it has none. */
  static Json.Arr withoutGatewayTools(Json.Arr tools) {
    List<Json> remaining = tools.stream().filter(tool -> !isGatewayType(typeOf(tool))).toList();
    return remaining.size() == tools.size() ? tools : Json.array(remaining);
  }

  static @Nullable String typeOf(Json value) {
    return value instanceof Json.Obj object ? object.text("type") : null;
  }

  /**
   * Returns the tool choice to send; choices among the gateway's own tools are left out.
   *
   * @param sentTools the tools that are sent upstream
   * @return null when no tool is left to choose
   */
  static @Nullable Json choice(Json choice, List<Tool> sentTools) {
    if (!(choice instanceof Json.Obj object)) {
      return choice;
    }
    String type = Objects.requireNonNullElse(object.text("type"), "function");
    Json.Arr allowed = object.list("tools");
    if (type.equals("allowed_tools") && allowed != null) {
      Json.Arr remaining = withoutGatewayTools(allowed);
      return remaining.isEmpty()
          ? null
          : remaining == allowed ? object : object.with("tools", remaining);
    }
    boolean isSent =
        type.equals("function")
            || type.startsWith("web_search")
                && sentTools.stream().anyMatch(t -> t instanceof Tool.Server)
            || sentTools.stream()
                .anyMatch(t -> t instanceof Tool.Unknown u && u.type().equals(type));
    return isSent ? object : null;
  }

  /**
   * Writes the functions of a request in another dialect. In this dialect functions are strict by
   * default, in the others they are not.
   */
  static Json.Arr writeTranslated(List<Tool> tools, SafeNames names, Losses losses) {
    var functions = new ArrayList<Json>(tools.size());
    for (Tool tool : forUpstream(tools)) {
      if (tool instanceof Tool.Function function) {
        functions.add(writeTranslated(function, names, losses));
      } else if (tool instanceof Tool.Server search) {
        functions.add(server(search));
      } else {
        losses.dropped("tools", "only functions and searches have a form in this dialect");
      }
    }
    return Json.array(functions);
  }

  private static Json writeTranslated(Tool.Function tool, SafeNames names, Losses losses) {
    var function = Json.object().put("type", "function").put("name", names.toSafe(tool.name()));
    if (tool.description() != null) {
      function.put("description", tool.description());
    }
    function.put("parameters", tool.parameters() == null ? Json.NULL : tool.parameters());
    function.put("strict", isStrict(tool.extras()));
    ToolMembers.reportUnknown(tool, Set.of("strict"), losses);
    return function.build();
  }

  private static boolean isStrict(Json.Obj extras) {
    Json.Obj nestedFunction = extras.object("function");
    return Json.TRUE.equals(extras.get("strict"))
        || nestedFunction != null && Json.TRUE.equals(nestedFunction.get("strict"));
  }
}
