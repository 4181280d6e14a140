package io.strowger.providers.responses;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Citations, which are flat in this dialect and stand in an object of their own in others. */
final class ResponsesCitationReader {
  private static final String TYPE = "url_citation";

  private ResponsesCitationReader() {}

  /** An annotation in the form all citations have here; null when it cites no address. */
  static Json.@Nullable Obj nested(Json annotation) {
    if (!(annotation instanceof Json.Obj flat) || !TYPE.equals(flat.text("type"))) {
      return null;
    }
    return Json.object().put("type", TYPE).put(TYPE, flat.without("type")).build();
  }
}
