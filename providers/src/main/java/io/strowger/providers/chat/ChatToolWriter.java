package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Tool;
import java.util.List;

/** Writes the tools that are sent upstream. Tools that the gateway runs are left out. */
final class ChatToolWriter {
  private static final String GATEWAY = "router:";

  private ChatToolWriter() {}

  /** Returns the tools that are sent upstream. */
  static List<Tool> forUpstream(List<Tool> tools) {
    return tools.isEmpty() ? tools : tools.stream().filter(ChatToolWriter::isSentUpstream).toList();
  }

  private static boolean isSentUpstream(Tool tool) {
    return switch (tool) {
      case Tool.Function function -> true;
      case Tool.Server server -> false;
      case Tool.Unknown unknown -> !unknown.type().startsWith(GATEWAY);
    };
  }

  /**
   * Returns whether a tool choice can be sent upstream. A choice that names a type of tool can be
   * sent only together with a tool of that type.
   *
   * @param upstreamTools the tools that are sent upstream
   */
  static boolean isUpstreamChoice(Json choice, List<Tool> upstreamTools) {
    String type = choice instanceof Json.Obj object ? object.text("type") : null;
    return type == null
        || type.equals("function")
        || upstreamTools.stream()
            .anyMatch(t -> t instanceof Tool.Unknown u && u.type().equals(type));
  }

  static void write(List<Tool> tools, JsonOutput out) {
    out.raw('[');
    for (int i = 0; i < tools.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      write(tools.get(i), out);
    }
    out.raw(']');
  }

  private static void write(Tool tool, JsonOutput out) {
    if (tool.source() != null) {
      tool.source().writeTo(out);
    } else if (tool instanceof Tool.Function function) {
      write(function, out);
    }
  }

  private static void write(Tool.Function tool, JsonOutput out) {
    Json.Obj.Builder function = Json.object().put("name", tool.name());
    if (tool.description() != null) {
      function.put("description", tool.description());
    }
    if (tool.parameters() != null) {
      function.put("parameters", tool.parameters());
    }
    new ChatObjectWriter(out)
        .put("type", "function")
        .put("function", MessageWriter.merge(function.build(), tool.extras().object("function")))
        .copyAllExcept(tool.extras(), "function")
        .end();
  }
}
