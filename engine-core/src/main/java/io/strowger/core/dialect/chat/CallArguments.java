package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;

/** Writes arguments as JSON text; blank text, which is not JSON, becomes an empty object. */
final class CallArguments {
  static final Json.Str EMPTY_OBJECT = Json.of("{}");

  private CallArguments() {}

  static Json.Str of(Arguments arguments) {
    Json.Str text = arguments.asString();
    return isBlank(text) ? EMPTY_OBJECT : text;
  }

  static boolean isBlank(Json.Str text) {
    return text.isEmpty() || text.utf8Bound() < 16 && text.text().isBlank();
  }
}
