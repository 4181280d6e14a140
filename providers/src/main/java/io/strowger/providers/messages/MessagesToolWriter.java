package io.strowger.providers.messages;

import io.strowger.providers.translate.UpstreamSearch;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes a tool as its source if it has one, otherwise from its fields. */
final class MessagesToolWriter {
  /** The schema of a function without parameters; upstreams require one. */
  private static final Json.Obj EMPTY_SCHEMA =
      Json.object().put("type", "object").put("properties", Json.Obj.EMPTY).build();

  /** The name under which the model sees the upstream's own search. */
  static final String SEARCH = "web_search";

  private MessagesToolWriter() {}

  static Json json(Tool tool) {
    Json source = tool.source();
    return source == null ? newTool(tool) : source;
  }

  private static Json newTool(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> function(function);
      case Tool.Server server when server.isUpstreamSearch() ->
          search(new UpstreamSearch(server.parameters()), lost -> {});
      case Tool.Server server ->
          Json.object().put("type", server.type()).put("parameters", server.parameters()).build();
      case Tool.Unknown unknown -> unknown.source();
    };
  }

  /**
   * Returns the upstream's search tool, which accepts only one of the two lists of domains.
   *
   * @param losses receives the name of a list that is left out
   */
  static Json.Obj search(UpstreamSearch search, Consumer<String> losses) {
    Json.Obj.Builder tool = Json.object().put("type", "web_search_20250305").put("name", SEARCH);
    put(tool, "max_uses", search.maxUses());
    List<Json> allowed = search.allowedDomains();
    List<Json> excluded = search.excludedDomains();
    if (!allowed.isEmpty()) {
      tool.put("allowed_domains", Json.array(allowed));
    } else if (!excluded.isEmpty()) {
      tool.put("blocked_domains", Json.array(excluded));
    }
    if (!allowed.isEmpty() && !excluded.isEmpty()) {
      losses.accept("excluded_domains");
    }
    put(tool, "user_location", search.location());
    return tool.build();
  }

  private static void put(Json.Obj.Builder tool, String name, @Nullable Json value) {
    if (value != null) {
      tool.put(name, value);
    }
  }

  private static Json function(Tool.Function function) {
    Json.Obj.Builder tool = Json.object().put("name", function.name());
    if (function.description() != null) {
      tool.put("description", function.description());
    }
    return tool.put("input_schema", schema(function)).putAll(function.extras()).build();
  }

  /** Returns the schema of the input; never absent. */
  static Json.Obj schema(Tool.Function function) {
    Json.Obj schema = function.parameters();
    return schema == null ? EMPTY_SCHEMA : schema;
  }

  /** Returns the schema with type object, the only type an input can have. */
  static Json.Obj withObjectType(Json.Obj schema) {
    if (schema.size() == 0) {
      return EMPTY_SCHEMA;
    }
    return schema.has("type") ? schema : Json.object().put("type", "object").putAll(schema).build();
  }
}
