package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a function is called with, in the form its dialect has for it, so that neither is turned
 * into the other before somebody needs that. Immutable.
 */
public sealed interface Arguments {
  /**
   * JSON as text, as the chat dialect has it.
   *
   * @param written may be malformed, since a model wrote it, and may be empty
   */
  record Text(Json.Str written) implements Arguments {
    public Text {
      Objects.requireNonNull(written, "written");
    }
  }

  /** JSON, as the messages dialect has it; normally an object. */
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
