package io.strowger.providers.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;

/** Writes tools: what has a source as that, everything else from its fields. Functions are flat. */
final class ToolWriter {
  private ToolWriter() {}

  static Json json(Tool tool) {
    Json source = tool.source();
    return source == null ? made(tool) : source;
  }

  private static Json made(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> function(function);
      case Tool.Server server -> server(server);
      case Tool.Unknown unknown -> unknown.source();
    };
  }

  /** The parameters have to be there, if only as a null. */
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
    var server = Json.object().put("type", tool.type());
    if (tool.parameters().size() > 0) {
      server.put("parameters", tool.parameters());
    }
    return server.build();
  }
}
