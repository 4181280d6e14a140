package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What an answer is taken from, in the chat dialect's form, which is the engine's. Translation fact
 * sheet, section 6.
 */
public final class Citations {
  private static final String TYPE = "url_citation";

  private Citations() {}

  /** The citation of an address. */
  public static Json.Obj of(Json.Obj page) {
    return Json.object().put("type", TYPE).put(TYPE, page).build();
  }

  /** Of an annotation that is flat; null when it cites no address. */
  public static Json.@Nullable Obj ofFlat(Json annotation) {
    return annotation instanceof Json.Obj flat && TYPE.equals(flat.text("type"))
        ? of(flat.without("type"))
        : null;
  }

  /**
   * Of a citation of a page; null when it is of a document of the request, which no other dialect
   * has a form for.
   */
  public static Json.@Nullable Obj ofPage(Json citation) {
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
    return of(page.build());
  }
}
