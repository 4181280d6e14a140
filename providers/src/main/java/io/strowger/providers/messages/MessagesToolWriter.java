package io.strowger.providers.messages;

import io.strowger.providers.translate.UpstreamSearch;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A tool: its source when it has one, otherwise made from its fields. */
final class MessagesToolWriter {
  /** The schema has to be there, also of a function that takes nothing. */
  private static final Json.Obj NOTHING =
      Json.object().put("type", "object").put("properties", Json.Obj.EMPTY).build();

  /** What the model calls the upstream's own search. */
  static final String SEARCH = "web_search";

  private MessagesToolWriter() {}

  static Json json(Tool tool) {
    Json source = tool.source();
    return source == null ? made(tool) : source;
  }

  private static Json made(Tool tool) {
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
   * The search of the upstream. Of the two lists of domains it takes one.
   *
   * @param losses told of a list that is left out
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

  /** The schema of what it takes, which is always there. */
  static Json.Obj schema(Tool.Function function) {
    Json.Obj schema = function.parameters();
    return schema == null ? NOTHING : schema;
  }

  /** The same as the schema of an object, which is all an input can be. */
  static Json.Obj object(Json.Obj schema) {
    if (schema.size() == 0) {
      return NOTHING;
    }
    return schema.has("type") ? schema : Json.object().put("type", "object").putAll(schema).build();
  }
}
