package io.strowger.providers.messages;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** What a text is taken from, in the engine's form. Translation fact sheet, section 6. */
final class MessagesCitationReader {
  private MessagesCitationReader() {}

  /**
   * A citation of a page, in the chat dialect's form; null when it is of a document of the request,
   * which no other dialect has a form for.
   */
  static Json.@Nullable Obj body(Json citation) {
    if (!(citation instanceof Json.Obj cited) || !(cited.get("url") instanceof Json.Str url)) {
      return null;
    }
    Json.Obj.Builder page = Json.object().put("url", url);
    if (cited.get("title") instanceof Json.Str title) {
      page.put("title", title);
    }
    if (cited.get("cited_text") instanceof Json.Str text) {
      page.put("content", text);
    }
    return Json.object().put("type", "url_citation").put("url_citation", page.build()).build();
  }
}
