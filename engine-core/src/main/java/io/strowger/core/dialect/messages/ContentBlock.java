package io.strowger.core.dialect.messages;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes blocks of an answer, nullable members included. Messages fact sheet, section 3. */
final class ContentBlock {
  private static final Json DIRECT = Json.object().put("type", "direct").build();
  private static final Json.Str EMPTY = Json.of("");

  private ContentBlock() {}

  static Json.Obj text(Json.Str text, Json citations) {
    return block("text").put("text", text).put("citations", citations).build();
  }

  static Json.Obj thinking(Json.Str thinking, Json.Str signature) {
    return block("thinking").put("thinking", thinking).put("signature", signature).build();
  }

  static Json.Obj redacted(Json.Str data) {
    return block("redacted_thinking").put("data", data).build();
  }

  static Json.Obj toolUse(String id, String name, Json input) {
    return block("tool_use")
        .put("id", id)
        .put("name", name)
        .put("input", input)
        .put("caller", DIRECT)
        .build();
  }

  /** Returns a text block without text. */
  static Json.Obj emptyText() {
    return text(EMPTY, Json.NULL);
  }

  static Json.Obj emptyThinking() {
    return thinking(EMPTY, EMPTY);
  }

  /** Returns an upstream's block of this format, with the contract's members added. */
  static Json.Obj withContractMembers(Json.Obj block) {
    String type = block.text("type");
    if ("text".equals(type) && !block.has("citations")) {
      return block.with("citations", Json.NULL);
    }
    return "tool_use".equals(type) && !block.has("caller") ? block.with("caller", DIRECT) : block;
  }

  /**
   * Returns a citation in the form of this dialect. Translation fact sheet, section 6.
   *
   * @param body the citation in the chat dialect's form
   * @return the citation; null when it does not cite a page, for example the note of a parsed file
   */
  static Json.@Nullable Obj citation(Json.Obj body) {
    Json.Obj source = body.object("url_citation");
    String url = source == null ? null : source.text("url");
    if (source == null || url == null) {
      return null;
    }
    return block("web_search_result_location")
        .put("cited_text", Objects.requireNonNullElse(source.text("content"), ""))
        .put("url", url)
        .putOrNull("title", source.text("title"))
        .put("encrypted_index", "")
        .build();
  }

  private static Json.Obj.Builder block(String type) {
    return Json.object().put("type", type);
  }
}
