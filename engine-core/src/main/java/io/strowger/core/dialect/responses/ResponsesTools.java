package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.ServerTools;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Tool;
import java.util.List;
import java.util.Objects;

/**
 * The rule for {@code tools}. Functions are flat; their {@code parameters} are required but may be
 * null. The responses fact sheet lists only the names of upstreams' own tools, so these are kept
 * unchanged, like tools of an unknown type. The gateway's own tools are in {@link ServerTools}.
 */
final class ResponsesTools {
  private static final MemberTable<Json.Obj> FUNCTION =
      MemberTable.<Json.Obj>table()
          .required("name", SharedMembers.FUNCTION_NAME)
          .required("parameters", object().orNull())
          .optional("description", string().orNull())
          .optional("strict", bool().orNull())
          .optional("defer_loading", bool())
          .build();

  private static final MemberTable<Json.Obj> GRAMMAR =
      MemberTable.<Json.Obj>table()
          .required("syntax", wordAmong("lark", "regex"))
          .required("definition", string())
          .build();

  private static final MemberTable<Json.Obj> CUSTOM =
      MemberTable.<Json.Obj>table()
          .required("name", name())
          .optional("description", string().orNull())
          .optional(
              "format",
              Union.<Json.Obj>on("type")
                  .when("text", object())
                  .when("grammar", MemberTable.asJson(GRAMMAR)))
          .optional("defer_loading", bool())
          .build();

  private static final MemberTable<Json.Obj> NAMESPACE =
      MemberTable.<Json.Obj>table()
          .optional("name", string())
          .optional("description", string().orNull())
          .optional("tools", (value, context) -> ResponsesTools.RULE.read(value, context))
          .build();

  private static final MemberTable<Json.Obj> NO_CHECKED_MEMBERS =
      MemberTable.<Json.Obj>table().build();

  private static final Rule<Tool> UNCHANGED = unchanged(NO_CHECKED_MEMBERS);

  private static final Union<Tool> DIALECT_TOOLS =
      Union.<Tool>on("type")
          .when("function", MemberTable.mapped(FUNCTION, ResponsesTools::function))
          .when("file_search", UNCHANGED)
          .when("computer_use", UNCHANGED)
          .when("code_interpreter", UNCHANGED)
          .when("mcp", UNCHANGED)
          .when("image_generation", UNCHANGED)
          .when("local_shell", UNCHANGED)
          .when("shell", UNCHANGED)
          .when("apply_patch", UNCHANGED)
          .when("custom", unchanged(CUSTOM))
          .when("namespace", unchanged(NAMESPACE));

  static final Rule<List<Tool>> RULE =
      ServerTools.listRule(
          ServerTools.addTo(DIALECT_TOOLS, Dialect.RESPONSES)
              .orElse(ServerTools.passThrough(Dialect.RESPONSES, UNCHANGED)));

  private ResponsesTools() {}

  private static Rule<Tool> unchanged(MemberTable<Json.Obj> members) {
    return MemberTable.mapped(
        members, tool -> new Tool.Unknown(Objects.requireNonNull(tool.text("type")), tool));
  }

  /** Returns a function; an explicit null description is kept among the extras. */
  private static Tool function(Json.Obj tool) {
    String description = tool.text("description");
    Json.Obj extras =
        description == null
            ? SharedMembers.extras(tool, "type", "name", "parameters")
            : SharedMembers.extras(tool, "type", "name", "description", "parameters");
    return new Tool.Function(
        Objects.requireNonNull(tool.text("name")),
        description,
        tool.object("parameters"),
        extras,
        tool);
  }
}
