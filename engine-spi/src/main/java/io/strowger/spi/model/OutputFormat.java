package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The format that a request asks for in the text of its answer. Immutable. Translation fact sheet,
 * section 1.
 */
public sealed interface OutputFormat {
  /** Text of any form, which is also the default. */
  record Text() implements OutputFormat {}

  /** Any JSON object. */
  record JsonObject() implements OutputFormat {}

  /**
   * JSON that matches a schema.
   *
   * @param name the name of the schema; null when not given
   * @param schema the JSON Schema; null when not given
   * @param strict whether the answer must follow the schema exactly; null when not given
   */
  record JsonSchema(
      @Nullable String name,
      @Nullable String description,
      Json.@Nullable Obj schema,
      @Nullable Boolean strict)
      implements OutputFormat {}

  /** Any other format; used only within its dialect. */
  record Other(String type, Json source) implements OutputFormat {}
}
