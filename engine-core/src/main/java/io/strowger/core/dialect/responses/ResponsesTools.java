package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.FunctionName;
import io.strowger.core.dialect.ServerTools;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Tool;
import java.util.List;
import java.util.Objects;

/**
 * {@code tools}: functions are flat, and {@code parameters} has to be there but may be null. Of the
 * upstreams' own tools the responses fact sheet lists the names only: they are kept as they are, as
 * are tools of a type nobody knows. The gateway's own are those of {@link ServerTools}.
 */
final class ResponsesTools {
  private static final MemberTable<Json.Obj> FUNCTION =
      MemberTable.<Json.Obj>table()
          .required("name", FunctionName.RULE)
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
                  .when("grammar", MemberTable.kept(GRAMMAR)))
          .optional("defer_loading", bool())
          .build();

  private static final MemberTable<Json.Obj> NAMESPACE =
      MemberTable.<Json.Obj>table()
          .optional("name", string())
          .optional("description", string().orNull())
          .optional("tools", (given, context) -> ResponsesTools.TOOLS.read(given, context))
          .build();

  private static final MemberTable<Json.Obj> NAMED_ONLY = MemberTable.<Json.Obj>table().build();

  private static final Rule<Tool> KEPT = kept(NAMED_ONLY);

  private static final Union<Tool> OWN =
      Union.<Tool>on("type")
          .when("function", MemberTable.mapped(FUNCTION, ResponsesTools::function))
          .when("file_search", KEPT)
          .when("computer_use", KEPT)
          .when("code_interpreter", KEPT)
          .when("mcp", KEPT)
          .when("image_generation", KEPT)
          .when("local_shell", KEPT)
          .when("shell", KEPT)
          .when("apply_patch", KEPT)
          .when("custom", kept(CUSTOM))
          .when("namespace", kept(NAMESPACE));

  static final Rule<List<Tool>> TOOLS =
      ServerTools.all(
          ServerTools.addTo(OWN, Dialect.RESPONSES)
              .orElse(ServerTools.passThrough(Dialect.RESPONSES, KEPT)));

  private static final MemberTable<Json.Obj> CHOSEN_FUNCTION =
      MemberTable.<Json.Obj>table().required("name", FunctionName.RULE).build();

  private static final Rule<Json.Obj> ONE_OF_ALLOWED =
      MemberTable.kept(MemberTable.<Json.Obj>table().required("type", name()).build());

  private static final MemberTable<Json.Obj> ALLOWED_TOOLS =
      MemberTable.<Json.Obj>table()
          .required("mode", wordAmong("auto", "required"))
          .required("tools", items(ONE_OF_ALLOWED))
          .build();

  /**
   * {@code tool_choice}: a word, one tool, or a choice among some. A function is named flat. Any
   * other tool is chosen by its type, also one nobody knows.
   */
  static final Rule<Json> CHOICE =
      ByJsonType.<Json>of("must be none, auto, required or an object that names a tool")
          .string(wordAmong("none", "auto", "required").asJson())
          .object(
              Union.<Json>on("type")
                  .when("function", MemberTable.kept(CHOSEN_FUNCTION))
                  .when("web_search_preview", object())
                  .when("web_search_preview_2025_03_11", object())
                  .when("allowed_tools", MemberTable.kept(ALLOWED_TOOLS))
                  .when("apply_patch", object())
                  .when("shell", object())
                  .orElse(object()));

  private ResponsesTools() {}

  private static Rule<Tool> kept(MemberTable<Json.Obj> members) {
    return MemberTable.mapped(
        members, tool -> new Tool.Unknown(Objects.requireNonNull(tool.text("type")), tool));
  }

  /** A description that is an explicit null stays one: it is kept among the extras. */
  private static Tool function(Json.Obj tool) {
    String description = tool.text("description");
    Json.Obj rest =
        description == null
            ? SharedMembers.extras(tool, "type", "name", "parameters")
            : SharedMembers.extras(tool, "type", "name", "description", "parameters");
    return new Tool.Function(
        Objects.requireNonNull(tool.text("name")),
        description,
        tool.object("parameters"),
        rest,
        tool);
  }
}
