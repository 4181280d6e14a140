package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The arguments of a function call, kept in the form of their dialect (text or object) and
 * converted only on demand. Immutable.
 */
public sealed interface Arguments {
  /**
   * Arguments as JSON text, the form of the chat dialect.
   *
   * @param jsonText the text; may be malformed, since a model wrote it, and may be empty
   */
  record Text(Json.Str jsonText) implements Arguments {
    public Text {
      Objects.requireNonNull(jsonText, "jsonText");
    }
  }

  /** Arguments as a JSON value, normally an object: the form of the messages dialect. */
  record Value(Json value) implements Arguments {
    public Value {
      Objects.requireNonNull(value, "value");
    }
  }

  /** Returns the arguments as JSON text: the original text, or the value written as JSON. */
  default String text() {
    return switch (this) {
      case Text(Json.Str written) -> written.text();
      case Value(Json value) -> new String(value.toBytes(), StandardCharsets.UTF_8);
    };
  }

  /** Returns {@link #text} as a JSON string. */
  default Json.Str asString() {
    return switch (this) {
      case Text(Json.Str written) -> written;
      case Value value -> Json.of(value.text());
    };
  }

  /** Returns an upper bound of the length of the text in UTF-8 bytes. */
  default int utf8Bound() {
    return switch (this) {
      case Text(Json.Str written) -> written.utf8Bound();
      case Value(Json value) -> value.writtenLength();
    };
  }
}
