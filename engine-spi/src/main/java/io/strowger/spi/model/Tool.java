package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** A tool a request declares. Immutable; {@code source} as in {@link Part}. */
public sealed interface Tool {
  @Nullable Json source();

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
