package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;

/**
 * Citations: nested in the chat dialect, flat in this one; there they point into all of the text,
 * here into the part they stand beside.
 */
final class ResponsesCitationWriter {
  private ResponsesCitationWriter() {}

  /**
   * @param before characters of text before the part
   */
  static Json.Obj flat(Json.Obj body, int before) {
    Json.Obj citation = body.object("url_citation");
    if (citation == null) {
      return body;
    }
    Json.Obj.Builder flat = Json.object().put("type", "url_citation");
    for (int i = 0; i < citation.size(); i++) {
      String name = citation.name(i);
      boolean offset = name.equals("start_index") || name.equals("end_index");
      flat.put(name, offset ? moved(citation.value(i), before) : citation.value(i));
    }
    return flat.build();
  }

  private static Json moved(Json offset, int before) {
    long at = offset instanceof Json.Num number ? number.asLong().orElse(-1) : -1;
    return before > 0 && at >= before ? Json.of(at - before) : offset;
  }
}
