package io.strowger.spi.model;

import io.strowger.spi.json.Json;

/** The form of an answer as the chat and the responses dialect have it. Chat fact sheet, 6. */
final class SchemaFormat {
  private SchemaFormat() {}

  /**
   * What an object with a {@code type} asks for.
   *
   * @param format the object
   * @param schema holds {@code name}, {@code schema} and the like: the object itself where they
   *     stand flat in it
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
