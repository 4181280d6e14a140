package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.List;

/** The cache markers, which occur on a request, on text parts and on tools. */
final class Markers {
  private static final List<String> EPHEMERAL = List.of("ephemeral");
  private static final List<String> TTLS = List.of("5m", "1h");
  private static final List<String> EXPLICIT = List.of("explicit");

  private Markers() {}

  /** {@code {"type":"ephemeral","ttl":"5m"}}. */
  static void cacheControl(Checks checks, JsonPointer at, String name, Json given) {
    Json.Obj marker = checks.object(at, name, given);
    if (marker == null) {
      return;
    }
    JsonPointer inner = at.child(name);
    Json type = marker.get("type");
    if (type == null) {
      checks.missing(inner, "type");
    } else {
      checks.word(inner, "type", type, EPHEMERAL);
    }
    Json ttl = marker.get("ttl");
    if (ttl != null) {
      checks.word(inner, "ttl", ttl, TTLS);
    }
  }

  /** {@code {"mode":"explicit","ttl":...}}, the ttl any string or null. */
  static void mode(Checks checks, JsonPointer at, String name, Json given) {
    Json.Obj marker = checks.object(at, name, given);
    if (marker == null) {
      return;
    }
    JsonPointer inner = at.child(name);
    Json mode = marker.get("mode");
    if (mode == null) {
      checks.missing(inner, "mode");
    } else {
      checks.word(inner, "mode", mode, EXPLICIT);
    }
    Json ttl = marker.get("ttl");
    if (ttl != null && !(ttl instanceof Json.Null)) {
      checks.string(inner, "ttl", ttl);
    }
  }
}
