package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * The rules for the results of tools: of the caller's, of upstreams' and of the gateway's. Messages
 * fact sheet, section 2.
 */
final class ResultBlocks {
  static final Rule<Part> SEARCH_RESULT =
      BlockRules.unchanged(
          members()
              .required("source", string())
              .required("title", string())
              .required("content", items(Union.<Part>on("type").when("text", BlockRules.TEXT)))
              .optional("citations", CitationRules.SWITCH)
              .optional("cache_control", SharedMembers.CACHE_CONTROL));

  private static final Rule<Part> TOOL_REFERENCE =
      BlockRules.unchanged(members().required("tool_name", string()));

  /** The blocks in the content of a {@code tool_result}. */
  static final Union<Part> CONTENT =
      BlockRules.rejecting(
          Union.<Part>on("type")
              .when("text", BlockRules.TEXT)
              .when("image", MediaBlockRules.IMAGE)
              .when("document", MediaBlockRules.DOCUMENT)
              .when("search_result", SEARCH_RESULT)
              .when("tool_reference", TOOL_REFERENCE),
          "must be one of text, image, document, search_result, tool_reference in a tool_result",
          "tool_use",
          "tool_result",
          "thinking",
          "redacted_thinking",
          "server_tool_use",
          "web_search_tool_result",
          "compaction",
          "advisor_tool_result",
          "tool_addition",
          "tool_removal",
          "router_shell_tool_result",
          "router_bash_tool_result");

  /** The rule for {@code tool_result}, the result of a function of the caller. */
  static final Rule<Part> TOOL_RESULT =
      MemberTable.<Draft>table()
          .required("tool_use_id", string(), (draft, id) -> draft.id = id.text())
          .optional(
              "content",
              SharedMembers.content("must be a string or an array of blocks", CONTENT),
              (draft, parts) -> draft.parts = parts)
          .optional("is_error", bool(), (draft, error) -> draft.isError = error.value())
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .withSource(Draft::new, ResultBlocks::toolResult);

  /** The page age may be null, since it can be null in answers that callers send back. */
  private static final Rule<Json.Obj> SEARCH_HIT =
      Union.<Json.Obj>on("type")
          .when(
              "web_search_result",
              members()
                  .required("url", string())
                  .required("title", string())
                  .required("encrypted_content", string())
                  .optional("page_age", string().orNull())
                  .asJson());

  private static final Rule<Json.Obj> SEARCH_ERROR =
      Union.<Json.Obj>on("type")
          .when(
              "web_search_tool_result_error",
              members()
                  .required(
                      "error_code",
                      wordAmong(
                          "invalid_tool_input",
                          "unavailable",
                          "max_uses_exceeded",
                          "too_many_requests",
                          "query_too_long"))
                  .asJson());

  static final Rule<Part> WEB_SEARCH_RESULT =
      BlockRules.unchanged(
          members()
              .required("tool_use_id", string())
              .required(
                  "content",
                  ByJsonType.<Json>of("must be an array of results or an error")
                      .array(items(SEARCH_HIT))
                      .object(SEARCH_ERROR))
              .optional("cache_control", SharedMembers.CACHE_CONTROL));

  /** The rule for {@code advisor_tool_result} and the results of the gateway's own shells. */
  static final Rule<Part> OPAQUE_RESULT =
      BlockRules.unchanged(
          members().required("tool_use_id", string()).required("content", object()));

  private static final class Draft {
    private String id = "";
    private List<Part> parts = List.of();
    private boolean isError;
  }

  private ResultBlocks() {}

  private static Part toolResult(Json.Obj block, Draft draft) {
    return new Part.ToolResult(
        draft.id,
        draft.parts,
        SharedMembers.contentForm(block.get("content")),
        draft.isError,
        SharedMembers.extras(block, "type", "tool_use_id", "content", "is_error"),
        block);
  }
}
