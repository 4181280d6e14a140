package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;

/**
 * The rules for citations, which callers send back with an earlier answer, and for the switch that
 * enables them. Messages fact sheet, section 2, "Citations". The sheet names only the kinds; their
 * members are optional here, but their types are checked.
 */
final class CitationRules {
  static final Rule<Json.Obj> CITATION =
      Union.<Json.Obj>on("type")
          .when("char_location", documentCitation("start_char_index", "end_char_index"))
          .when("page_location", documentCitation("start_page_number", "end_page_number"))
          .when("content_block_location", documentCitation("start_block_index", "end_block_index"))
          .when(
              "web_search_result_location",
              members()
                  .optional("cited_text", string())
                  .optional("encrypted_index", string())
                  .optional("title", string().orNull())
                  .optional("url", string())
                  .asJson())
          .when(
              "search_result_location",
              members()
                  .optional("cited_text", string())
                  .optional("search_result_index", integer())
                  .optional("source", string())
                  .optional("title", string().orNull())
                  .optional("start_block_index", integer())
                  .optional("end_block_index", integer())
                  .asJson());

  /** {@code citations} of a document or a search result. */
  static final Rule<Json.Obj> SWITCH = members().optional("enabled", bool()).asJson();

  private CitationRules() {}

  private static Rule<Json.Obj> documentCitation(String start, String end) {
    return members()
        .optional("cited_text", string())
        .optional("document_index", integer())
        .optional("document_title", string().orNull())
        .optional(start, integer())
        .optional(end, integer())
        .optional("file_id", string().orNull())
        .asJson();
  }
}
