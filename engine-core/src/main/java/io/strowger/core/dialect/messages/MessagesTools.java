package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.items;
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
 * The rules for {@code tools} and {@code tool_choice}. The {@code type} selects the rule; a custom
 * tool may omit it, and an unknown type is passed on. Messages fact sheet, section 2, "Tools".
 *
 * <p>The vendor runs its own search tools, {@code bm25} among them. The plugins fact sheet, section
 * 12, says that no such variant exists, but that is about the gateway's own {@code
 * router:tool_search}.
 */
final class MessagesTools {
  private static final Rule<Json.Arr> CALLERS =
      items(wordAmong("direct", "code_execution_20250825", "code_execution_20260120"));

  private static final Rule<Json.Obj> INPUT_SCHEMA =
      members()
          .required("type", wordAmong("object"))
          .optional("properties", object())
          .optional("required", items(string()).orNull())
          .asJson();

  private static final Rule<Tool> CUSTOM =
      members()
          .required("name", name())
          .required("input_schema", INPUT_SCHEMA)
          .optional("description", string())
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .optional("defer_loading", bool())
          .as(MessagesTools::custom);

  private static final Union<Tool> VENDOR_TOOLS =
      Union.<Tool>on("type")
          .when("custom", CUSTOM)
          .when("bash_20250124", vendorNamed("bash"))
          .when("text_editor_20250124", vendorNamed("str_replace_editor"))
          .when("web_search_20250305", vendor(search()))
          .when("web_search_20260209", vendor(search().optional("allowed_callers", CALLERS)))
          .when(
              "advisor_20260301",
              vendor(
                  members()
                      .required("name", wordAmong("advisor"))
                      .required("model", name())
                      .optional("max_uses", integer())
                      .optional("caching", SharedMembers.CACHE_CONTROL.orNull())
                      .optional("allowed_callers", CALLERS)
                      .optional("defer_loading", bool())))
          .when("tool_search_tool_bm25", toolSearch("tool_search_tool_bm25"))
          .when("tool_search_tool_bm25_20251119", toolSearch("tool_search_tool_bm25"))
          .when("tool_search_tool_regex", toolSearch("tool_search_tool_regex"))
          .when("tool_search_tool_regex_20251119", toolSearch("tool_search_tool_regex"));

  private static final Union<Tool> TYPED_TOOL =
      ServerTools.addTo(VENDOR_TOOLS, Dialect.MESSAGES)
          .orElse(ServerTools.passThrough(Dialect.MESSAGES, vendor(members())));

  private static final Rule<Tool> TOOL =
      (value, context) ->
          value instanceof Json.Obj tool && !tool.has("type")
              ? CUSTOM.read(value, context)
              : TYPED_TOOL.read(value, context);

  static final Rule<List<Tool>> TOOLS = ServerTools.listRule(TOOL);

  private static final Rule<Json.Obj> ANY_TOOL =
      members().optional("disable_parallel_tool_use", bool()).asJson();

  /** {@code tool_choice}. Messages fact sheet, section 1. */
  static final Rule<Json.Obj> CHOICE =
      Union.<Json.Obj>on("type")
          .when("auto", ANY_TOOL)
          .when("any", ANY_TOOL)
          .when(
              "tool",
              members()
                  .required("name", name())
                  .optional("disable_parallel_tool_use", bool())
                  .asJson())
          .when("none", members().asJson());

  private MessagesTools() {}

  private static Rule<Tool> vendorNamed(String name) {
    return vendor(
        members()
            .required("name", wordAmong(name))
            .optional("cache_control", SharedMembers.CACHE_CONTROL));
  }

  private static MemberTable.JsonBuilder search() {
    return members()
        .required("name", wordAmong("web_search"))
        .optional("max_uses", integer().orNull())
        .optional("allowed_domains", items(string()).orNull())
        .optional("blocked_domains", items(string()).orNull())
        .optional("user_location", SharedMembers.VENDOR_USER_LOCATION.orNull())
        .optional("cache_control", SharedMembers.CACHE_CONTROL);
  }

  private static Rule<Tool> toolSearch(String name) {
    return vendor(
        members()
            .required("name", wordAmong(name))
            .optional("strict", bool())
            .optional("defer_loading", bool())
            .optional("allowed_callers", CALLERS));
  }

  /** Returns the rule for an upstream's tool, which is checked and passed on unchanged. */
  private static Rule<Tool> vendor(MemberTable.JsonBuilder table) {
    return table.as(tool -> new Tool.Unknown(RequiredMember.text(tool, "type"), tool));
  }

  private static Tool custom(Json.Obj tool) {
    return new Tool.Function(
        RequiredMember.text(tool, "name"),
        tool.text("description"),
        tool.object("input_schema"),
        SharedMembers.extras(tool, "type", "name", "description", "input_schema"),
        tool);
  }
}
