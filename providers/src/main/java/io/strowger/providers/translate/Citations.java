package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Converts the sources of an answer to citations in the chat dialect's form, which the engine uses.
 * Translation fact sheet, section 6.
 */
public final class Citations {
  private static final String TYPE = "url_citation";

  private Citations() {}

  /** Returns the citation of a page, given by its members such as {@code url}. */
  public static Json.Obj of(Json.Obj page) {
    return Json.object().put("type", TYPE).put(TYPE, page).build();
  }

  /** Returns the citation of a flat annotation; null when the annotation is of another type. */
  public static Json.@Nullable Obj ofFlat(Json annotation) {
    return annotation instanceof Json.Obj flat && TYPE.equals(flat.text("type"))
        ? of(flat.without("type"))
        : null;
  }

  /**
   * Returns the citation of a page; null when it cites a document of the request, for which no
   * other dialect has a form.
   */
  public static Json.@Nullable Obj ofPage(Json citation) {
    if (!(citation instanceof Json.Obj source) || !(source.get("url") instanceof Json.Str url)) {
      return null;
    }
    Json.Obj.Builder page = Json.object().put("url", url);
    if (source.get("title") instanceof Json.Str title) {
      page.put("title", title);
    }
    if (source.get("cited_text") instanceof Json.Str text) {
      page.put("content", text);
    }
    return of(page.build());
  }
}
