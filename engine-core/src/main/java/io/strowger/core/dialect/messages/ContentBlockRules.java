package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.any;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import java.util.Set;

/**
 * The rules for the blocks of a message, one for each type. Block types that have a {@link Part} of
 * their own become that part; the other types of the contract are checked and kept unchanged.
 * Messages fact sheet, section 2.
 */
final class ContentBlockRules {
  private static final Rule<Part> TOOL_USE =
      members()
          .required("id", string())
          .required("name", string())
          .optional("input", any())
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .as(ContentBlockRules::toolUse);

  private static final Rule<Part> THINKING =
      members()
          .required("thinking", string())
          .required("signature", string())
          .as(ContentBlockRules::thinking);

  private static final Rule<Part> REDACTED_THINKING =
      members().required("data", string()).as(ContentBlockRules::redactedThinking);

  private static final Rule<Part> SERVER_TOOL_USE =
      BlockRules.unchanged(
          members()
              .required("id", string())
              .required("name", string())
              .optional("input", any())
              .optional("cache_control", SharedMembers.CACHE_CONTROL));

  /** The encrypted content may be null, since it can be null in answers that callers send back. */
  private static final Rule<Part> COMPACTION =
      BlockRules.unchanged(
          members()
              .required("content", string().orNull())
              .optional("encrypted_content", string().orNull()));

  private static final Rule<Json.Obj> TOOL =
      Union.<Json.Obj>on("type")
          .when("tool_reference", reference("name"))
          .when("mcp_tool_reference", reference("name", "server_name"))
          .when("mcp_toolset_reference", reference("server_name"));

  /** The rule for {@code tool_addition} and {@code tool_removal}. */
  private static final Rule<Part> TOOL_CHANGE =
      BlockRules.unchanged(members().required("tool", TOOL));

  private static final Rule<Part> SYSTEM_ONLY =
      BlockRules.misplaced("is only for messages of role system");

  /** The blocks of a message of role user or assistant. */
  static final Union<Part> USER_OR_ASSISTANT =
      Union.<Part>on("type")
          .when("text", BlockRules.TEXT)
          .when("image", MediaBlockRules.IMAGE)
          .when("document", MediaBlockRules.DOCUMENT)
          .when("tool_use", TOOL_USE)
          .when("tool_result", ResultBlocks.TOOL_RESULT)
          .when("thinking", THINKING)
          .when("redacted_thinking", REDACTED_THINKING)
          .when("server_tool_use", SERVER_TOOL_USE)
          .when("web_search_tool_result", ResultBlocks.WEB_SEARCH_RESULT)
          .when("search_result", ResultBlocks.SEARCH_RESULT)
          .when("compaction", COMPACTION)
          .when("advisor_tool_result", ResultBlocks.OPAQUE_RESULT)
          .when("router_shell_tool_result", ResultBlocks.OPAQUE_RESULT)
          .when("router_bash_tool_result", ResultBlocks.OPAQUE_RESULT)
          .when("tool_addition", SYSTEM_ONLY)
          .when("tool_removal", SYSTEM_ONLY)
          .orElse(BlockRules.UNKNOWN);

  /** The blocks of a message of role system. */
  static final Union<Part> SYSTEM =
      BlockRules.rejecting(
          Union.<Part>on("type")
              .when("text", BlockRules.TEXT)
              .when("tool_addition", TOOL_CHANGE)
              .when("tool_removal", TOOL_CHANGE),
          "must be one of text, tool_addition, tool_removal in a message of role system",
          "image",
          "document",
          "tool_use",
          "tool_result",
          "thinking",
          "redacted_thinking",
          "server_tool_use",
          "web_search_tool_result",
          "search_result",
          "compaction",
          "advisor_tool_result",
          "router_shell_tool_result",
          "router_bash_tool_result");

  /** Further block types of answers, which callers send back in the next request. */
  private static final Set<String> FURTHER_ANSWER_TYPES =
      Set.of(
          "web_fetch_tool_result",
          "code_execution_tool_result",
          "bash_code_execution_tool_result",
          "text_editor_code_execution_tool_result",
          "tool_search_tool_result",
          "container_upload");

  private ContentBlockRules() {}

  /** Returns whether the contract lists this type of block in any place. */
  static boolean isKnown(String type) {
    return USER_OR_ASSISTANT.hasKind(type)
        || SYSTEM.hasKind(type)
        || ResultBlocks.CONTENT.hasKind(type)
        || FURTHER_ANSWER_TYPES.contains(type);
  }

  private static Rule<Json.Obj> reference(String... names) {
    MemberTable.JsonBuilder table = members();
    for (String name : names) {
      table.required(name, string());
    }
    return table.asJson();
  }

  /** Returns a call; a missing input becomes an empty object. */
  private static Part toolUse(Json.Obj block) {
    Json input = block.get("input");
    return new Part.ToolCall(
        RequiredMember.text(block, "id"),
        RequiredMember.text(block, "name"),
        new Arguments.Value(input == null ? Json.Obj.EMPTY : input),
        SharedMembers.extras(block, "type", "id", "name", "input"),
        block);
  }

  private static Part thinking(Json.Obj block) {
    MarkedReasoning markedReasoning = MarkedReasoning.of(RequiredMember.string(block, "signature"));
    return new Part.Thinking(
        Kind.TEXT,
        RequiredMember.string(block, "thinking"),
        markedReasoning.data(),
        markedReasoning.format(),
        markedReasoning.id(),
        SharedMembers.extras(block, "type", "thinking", "signature"),
        block);
  }

  private static Part redactedThinking(Json.Obj block) {
    MarkedReasoning markedReasoning = MarkedReasoning.of(RequiredMember.string(block, "data"));
    Part run = markedReasoning.serverToolRun(block);
    if (run != null) {
      return run;
    }
    return new Part.Thinking(
        Kind.ENCRYPTED,
        markedReasoning.data(),
        null,
        markedReasoning.format(),
        markedReasoning.id(),
        SharedMembers.extras(block, "type", "data"),
        block);
  }
}
