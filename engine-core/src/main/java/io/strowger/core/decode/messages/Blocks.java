package io.strowger.core.decode.messages;

import static io.strowger.core.decode.Members.kept;
import static io.strowger.core.decode.Rules.any;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.CacheControl;
import io.strowger.core.decode.Members;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Part;

/**
 * The blocks a message consists of: a line a type. What the engine has a form for becomes that;
 * other types are looked at, when the contract knows them, and kept. Messages fact sheet, section
 * 2.
 */
final class Blocks {
  private static final Rule<Part> TOOL_USE =
      Members.made(
          Members.<Json.Obj>table()
              .required("id", string())
              .required("name", string())
              .optional("input", any())
              .optional("cache_control", CacheControl.RULE)
              .build(),
          Blocks::toolUse);

  private static final Rule<Part> THINKING =
      Members.made(
          Members.<Json.Obj>table()
              .required("thinking", string())
              .required("signature", string())
              .build(),
          Blocks::thinking);

  private static final Rule<Part> REDACTED_THINKING =
      Kept.whole(Members.<Json.Obj>table().required("data", string()));

  private static final Rule<Part> SERVER_TOOL_USE =
      Kept.whole(
          Members.<Json.Obj>table()
              .required("id", string())
              .required("name", string())
              .optional("input", any())
              .optional("cache_control", CacheControl.RULE));

  /** What was encrypted may be null: an answer has it so, and comes back as it was. */
  private static final Rule<Part> COMPACTION =
      Kept.whole(
          Members.<Json.Obj>table()
              .required("content", string().orNull())
              .optional("encrypted_content", string().orNull()));

  private static final Rule<Json.Obj> TOOL =
      Union.<Json.Obj>on("type")
          .when("tool_reference", referring("name"))
          .when("mcp_tool_reference", referring("name", "server_name"))
          .when("mcp_toolset_reference", referring("server_name"));

  /** {@code tool_addition}, {@code tool_removal}. */
  private static final Rule<Part> TOOL_CHANGE =
      Kept.whole(Members.<Json.Obj>table().required("tool", TOOL));

  private static final Rule<Part> SYSTEM_ONLY = refused("is only for messages of role system");
  private static final Rule<Part> NOT_SYSTEM =
      refused("must be one of text, tool_addition, tool_removal in a message of role system");

  /** In a message of role user or assistant. */
  static final Rule<Part> SPOKEN =
      Union.<Part>on("type")
          .when("text", TextBlock.RULE)
          .when("image", MediaBlocks.IMAGE)
          .when("document", MediaBlocks.DOCUMENT)
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
          .otherwise(Kept.OTHER);

  /** In a message of role system. */
  static final Rule<Part> SYSTEM =
      Union.<Part>on("type")
          .when("text", TextBlock.RULE)
          .when("tool_addition", TOOL_CHANGE)
          .when("tool_removal", TOOL_CHANGE)
          .when("image", NOT_SYSTEM)
          .when("document", NOT_SYSTEM)
          .when("tool_use", NOT_SYSTEM)
          .when("tool_result", NOT_SYSTEM)
          .when("thinking", NOT_SYSTEM)
          .when("redacted_thinking", NOT_SYSTEM)
          .when("server_tool_use", NOT_SYSTEM)
          .when("web_search_tool_result", NOT_SYSTEM)
          .when("search_result", NOT_SYSTEM)
          .when("compaction", NOT_SYSTEM)
          .when("advisor_tool_result", NOT_SYSTEM)
          .when("router_shell_tool_result", NOT_SYSTEM)
          .when("router_bash_tool_result", NOT_SYSTEM)
          .otherwise(Kept.OTHER);

  private Blocks() {}

  private static Rule<Part> refused(String allowed) {
    return (given, reading) -> {
      if (given instanceof Json.Obj block) {
        reading.wrong("type", allowed, Kept.string(block, "type"));
      }
      return null;
    };
  }

  private static Rule<Json.Obj> referring(String... names) {
    Members.Builder<Json.Obj> table = Members.table();
    for (String name : names) {
      table.required(name, string());
    }
    return kept(table.build());
  }

  /** A call without input has an empty one. */
  private static Part toolUse(Json.Obj block) {
    Json input = block.get("input");
    return new Part.ToolCall(
        Kept.text(block, "id"),
        Kept.text(block, "name"),
        new Arguments.Value(input == null ? Json.Obj.EMPTY : input),
        Kept.besides(block, "id", "name", "input"),
        block);
  }

  private static Part thinking(Json.Obj block) {
    return new Part.Thinking(
        Kept.string(block, "thinking"),
        Kept.string(block, "signature"),
        Kept.besides(block, "thinking", "signature"),
        block);
  }
}
