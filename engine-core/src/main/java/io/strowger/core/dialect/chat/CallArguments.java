package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;

/** Writes arguments as JSON text; blank text, which is not JSON, becomes an empty object. */
final class CallArguments {
  static final Json.Str NONE = Json.of("{}");

  private CallArguments() {}

  static Json.Str of(Arguments arguments) {
    Json.Str written = arguments.asString();
    return isBlank(written) ? NONE : written;
  }

  static boolean isBlank(Json.Str piece) {
    return piece.isEmpty() || piece.utf8Bound() < 16 && piece.text().isBlank();
  }
}
