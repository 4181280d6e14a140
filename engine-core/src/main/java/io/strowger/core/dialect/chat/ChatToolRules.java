package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
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
 * The rules for {@code tools}, which are the caller's functions and the gateway's tools, and for
 * {@code tool_choice}. Chat fact sheet, section 5.
 */
final class ChatToolRules {
  private static final Rule<Tool> FUNCTION =
      members()
          .required(
              "function",
              members()
                  .required("name", SharedMembers.FUNCTION_NAME)
                  .optional("description", string())
                  .optional("parameters", object())
                  .optional("strict", bool().orNull())
                  .asJson())
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .as(ChatToolRules::function);

  static final Rule<List<Tool>> TOOLS =
      ServerTools.listRule(
          ServerTools.addTo(Union.<Tool>on("type").when("function", FUNCTION), Dialect.CHAT));

  private static final Rule<Json.Obj> FUNCTION_CHOICE =
      members()
          .required("function", members().required("name", SharedMembers.FUNCTION_NAME).asJson())
          .asJson();

  /** {@code tool_choice}: a word, one function by name, or a tool of the gateway by its type. */
  static final Rule<Object> CHOICE =
      ByJsonType.of("must be none, auto, required or an object that names a tool")
          .string(wordAmong("none", "auto", "required"))
          .object(toolChoice());

  private static final List<String> TOOL_MEMBERS = List.of("type", "function");
  private static final List<String> FUNCTION_MEMBERS = List.of("name", "description", "parameters");

  private ChatToolRules() {}

  private static Tool function(Json.Obj tool) {
    Json.Obj function = RequiredMember.object(tool, "function");
    return new Tool.Function(
        RequiredMember.text(function, "name"),
        function.text("description"),
        function.object("parameters"),
        ChatExtras.of(tool, TOOL_MEMBERS, ChatExtras.of(function, FUNCTION_MEMBERS)),
        tool);
  }

  private static Union<Json.Obj> toolChoice() {
    Union<Json.Obj> union = Union.<Json.Obj>on("type").when("function", FUNCTION_CHOICE);
    for (String type : ServerTools.types(Dialect.CHAT)) {
      union = union.when(type, object());
    }
    return ServerTools.withPluginTools(union, object());
  }
}
