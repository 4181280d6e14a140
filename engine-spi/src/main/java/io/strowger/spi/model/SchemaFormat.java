package io.strowger.spi.model;

import io.strowger.spi.json.Json;

/** Reads the output format of the chat and the responses dialect. Chat fact sheet, section 6. */
final class SchemaFormat {
  private SchemaFormat() {}

  /**
   * Returns the output format that an object with a {@code type} asks for.
   *
   * @param format the object with the {@code type}
   * @param schema the object with {@code name}, {@code schema} and so on; the same object where the
   *     dialect does not nest them
   */
  static OutputFormat of(Json.Obj format, Json.Obj schema) {
    String type = format.text("type");
    return switch (type == null ? "" : type) {
      case "text" -> new OutputFormat.Text();
      case "json_object" -> new OutputFormat.JsonObject();
      case "json_schema" ->
          new OutputFormat.JsonSchema(
              schema.text("name"),
              schema.text("description"),
              schema.object("schema"),
              ReasoningObject.bool(schema, "strict"));
      case String other -> new OutputFormat.Other(other, format);
    };
  }
}
