package io.strowger.core.preset;

import io.strowger.spi.json.Json;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tools are the same one. Resources fact sheet, section 2; chat fact sheet, section 5;
 * messages fact sheet, section 2; responses fact sheet.
 */
final class ToolIdentity {
  /** Other spellings of {@code router:web_search}. */
  private static final Set<String> SEARCHES =
      Set.of(
          "web_search",
          "web_search_preview",
          "web_search_preview_2025_03_11",
          "web_search_2025_08_26");

  private ToolIdentity() {}

  /** What tells a tool from others; null when nothing does. */
  static @Nullable String of(Json tool) {
    if (!(tool instanceof Json.Obj object)) {
      return null;
    }
    String type = object.text("type");
    return switch (type) {
      case null -> object.has("type") ? null : function(object.text("name"));
      case "custom" -> function(object.text("name"));
      case "function" -> {
        Json.Obj nested = object.object("function");
        yield function(nested == null ? object.text("name") : nested.text("name"));
      }
      case "router:advisor", "router:subagent" -> {
        Json.Obj parameters = object.object("parameters");
        String inside = parameters == null ? null : parameters.text("name");
        String name = inside == null ? object.text("name") : inside;
        yield type + (name == null ? "" : " " + name);
      }
      default -> SEARCHES.contains(type) ? "router:web_search" : type;
    };
  }

  private static @Nullable String function(@Nullable String name) {
    return name == null ? null : "function " + name;
  }
}
