package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The format that a request asks for the text of its answer. Immutable. Translation fact sheet,
 * section 1.
 */
public sealed interface OutputFormat {
  /** Plain text: what is given without any format. */
  record Text() implements OutputFormat {}

  /** Some JSON object. */
  record JsonObject() implements OutputFormat {}

  /**
   * JSON that fits a schema.
   *
   * @param name null where the dialect has none
   * @param schema JSON Schema; null when it was not given
   * @param strict null when it was not said
   */
  record JsonSchema(
      @Nullable String name,
      @Nullable String description,
      Json.@Nullable Obj schema,
      @Nullable Boolean strict)
      implements OutputFormat {}

  /** A format this engine has no form for; of its dialect only. */
  record Other(String type, Json source) implements OutputFormat {}
}
