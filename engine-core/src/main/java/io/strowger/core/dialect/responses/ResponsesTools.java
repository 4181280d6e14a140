package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.ServerTools;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Tool;
import java.util.List;

/**
 * The rule for {@code tools}. Functions are flat; their {@code parameters} are required but may be
 * null. The responses fact sheet lists only the names of upstreams' own tools, so these are kept
 * unchanged, like tools of an unknown type. The gateway's own tools are in {@link ServerTools}.
 */
final class ResponsesTools {
  private static final Rule<Tool> FUNCTION =
      members()
          .required("name", SharedMembers.FUNCTION_NAME)
          .required("parameters", object().orNull())
          .optional("description", string().orNull())
          .optional("strict", bool().orNull())
          .optional("defer_loading", bool())
          .as(ResponsesTools::function);

  private static final Rule<Json.Obj> GRAMMAR =
      members()
          .required("syntax", wordAmong("lark", "regex"))
          .required("definition", string())
          .asJson();

  private static final Rule<Tool> CUSTOM =
      unchanged(
          members()
              .required("name", name())
              .optional("description", string().orNull())
              .optional(
                  "format",
                  Union.<Json.Obj>on("type").when("text", object()).when("grammar", GRAMMAR))
              .optional("defer_loading", bool()));

  private static final Rule<Tool> NAMESPACE =
      unchanged(
          members()
              .optional("name", string())
              .optional("description", string().orNull())
              .optional("tools", (value, context) -> ResponsesTools.RULE.read(value, context)));

  private static final Rule<Tool> UNCHANGED = unchanged(members());

  private static final Union<Tool> DIALECT_TOOLS =
      Union.<Tool>on("type")
          .when("function", FUNCTION)
          .when("file_search", UNCHANGED)
          .when("computer_use", UNCHANGED)
          .when("code_interpreter", UNCHANGED)
          .when("mcp", UNCHANGED)
          .when("image_generation", UNCHANGED)
          .when("local_shell", UNCHANGED)
          .when("shell", UNCHANGED)
          .when("apply_patch", UNCHANGED)
          .when("custom", CUSTOM)
          .when("namespace", NAMESPACE);

  static final Rule<List<Tool>> RULE =
      ServerTools.listRule(
          ServerTools.addTo(DIALECT_TOOLS, Dialect.RESPONSES)
              .orElse(ServerTools.passThrough(Dialect.RESPONSES, UNCHANGED)));

  private ResponsesTools() {}

  private static Rule<Tool> unchanged(MemberTable.JsonBuilder members) {
    return members.as(tool -> new Tool.Unknown(RequiredMember.text(tool, "type"), tool));
  }

  /** Returns a function; an explicit null description is kept among the extras. */
  private static Tool function(Json.Obj tool) {
    String description = tool.text("description");
    Json.Obj extras =
        description == null
            ? SharedMembers.extras(tool, "type", "name", "parameters")
            : SharedMembers.extras(tool, "type", "name", "description", "parameters");
    return new Tool.Function(
        RequiredMember.text(tool, "name"), description, tool.object("parameters"), extras, tool);
  }
}
