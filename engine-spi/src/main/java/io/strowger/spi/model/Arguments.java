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
   * @param written may be malformed, since a model wrote it, and may be empty
   */
  record Text(Json.Str written) implements Arguments {
    public Text {
      Objects.requireNonNull(written, "written");
    }
  }

  /** Arguments as a JSON value, normally an object: the form of the messages dialect. */
  record Value(Json value) implements Arguments {
    public Value {
      Objects.requireNonNull(value, "value");
    }
  }

  /** JSON as text: as it was written, or written now. */
  default String text() {
    return switch (this) {
      case Text(Json.Str written) -> written.text();
      case Value(Json value) -> new String(value.toBytes(), StandardCharsets.UTF_8);
    };
  }

  /** The same as a JSON string. */
  default Json.Str asString() {
    return switch (this) {
      case Text(Json.Str written) -> written;
      case Value value -> Json.of(value.text());
    };
  }

  /** At least as many bytes as the text has in UTF-8. */
  default int utf8Bound() {
    return switch (this) {
      case Text(Json.Str written) -> written.utf8Bound();
      case Value(Json value) -> value.writtenLength();
    };
  }
}
