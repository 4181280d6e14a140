package io.strowger.spi.model;

import io.strowger.spi.json.Json;
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
   * A tool the gateway runs.
   *
   * @param type such as {@code router:datetime}
   */
  record Server(String type, Json.Obj parameters, @Nullable Json source) implements Tool {}

  /** A tool of a type this engine does not know: kept and passed on. */
  record Unknown(String type, Json source) implements Tool {}
}
