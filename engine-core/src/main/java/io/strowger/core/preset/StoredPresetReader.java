package io.strowger.core.preset;

import io.strowger.spi.json.Json;
import java.time.Instant;
import java.util.Objects;

/** Reads members that must exist, from documents that this package wrote itself. */
final class StoredPresetReader {
  private StoredPresetReader() {}

  static String text(Json.Obj document, String name) {
    return Objects.requireNonNull(document.text(name), name);
  }

  static Json.Obj object(Json.Obj document, String name) {
    return Objects.requireNonNull(document.object(name), name);
  }

  static Instant instant(Json.Obj document, String name) {
    return Instant.parse(text(document, name));
  }
}
