package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The system prompt of a request that becomes a preset. Resources fact sheet, section 2; open
 * question 70: several are joined by a blank line, a developer's counts as the system's.
 */
final class SystemPrompts {
  private SystemPrompts() {}

  /** The text; null when there is none, or nothing in it. */
  static @Nullable String of(Json.Obj request, Dialect dialect) {
    var texts = new ArrayList<String>();
    switch (dialect) {
      case CHAT -> collect(request.list("messages"), texts);
      case MESSAGES -> addText(request.get("system"), texts);
      case RESPONSES -> addText(request.get("instructions"), texts);
      case GEMINI ->
          throw new IllegalArgumentException("callers cannot use the dialect " + dialect);
    }
    return texts.isEmpty() ? null : String.join("\n\n", texts);
  }

  private static void collect(Json.@Nullable Arr messages, List<String> texts) {
    for (Json message : messages == null ? List.<Json>of() : messages) {
      if (message instanceof Json.Obj object
          && object.text("role") instanceof String role
          && (role.equals("system") || role.equals("developer"))) {
        addText(object.get("content"), texts);
      }
    }
  }

  /** A string, or an array of parts or blocks with one. */
  private static void addText(@Nullable Json content, List<String> texts) {
    switch (content) {
      case Json.Str str when !str.isEmpty() -> texts.add(str.text());
      case Json.Arr parts -> {
        for (Json part : parts) {
          if (part instanceof Json.Obj object) {
            addText(object.get("text"), texts);
          }
        }
      }
      case null, default -> {}
    }
  }
}
