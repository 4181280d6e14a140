package io.strowger.core.dialect.messages;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the source of a text as a citation of this format. Translation fact sheet, section 6. */
final class MessagesCitationWriter {
  private MessagesCitationWriter() {}

  /**
   * @param body the citation in the chat dialect's form
   * @return null when it does not cite a page, such as the note of a parsed file
   */
  static Json.@Nullable Obj of(Json.Obj body) {
    Json.Obj cited = body.object("url_citation");
    String url = cited == null ? null : cited.text("url");
    if (cited == null || url == null) {
      return null;
    }
    return Json.object()
        .put("type", "web_search_result_location")
        .put("cited_text", Objects.requireNonNullElse(cited.text("content"), ""))
        .put("url", url)
        .putOrNull("title", cited.text("title"))
        .put("encrypted_index", "")
        .build();
  }
}
