package io.strowger.providers.messages;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;

/** A tool: its source when it has one, otherwise made from its fields. */
final class ToolWriter {
  /** The schema has to be there, also of a function that takes nothing. */
  private static final Json.Obj NOTHING =
      Json.object().put("type", "object").put("properties", Json.Obj.EMPTY).build();

  private ToolWriter() {}

  static Json json(Tool tool) {
    Json source = tool.source();
    return source == null ? made(tool) : source;
  }

  private static Json made(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> function(function);
      case Tool.Server server ->
          Json.object().put("type", server.type()).put("parameters", server.parameters()).build();
      case Tool.Unknown unknown -> unknown.source();
    };
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
