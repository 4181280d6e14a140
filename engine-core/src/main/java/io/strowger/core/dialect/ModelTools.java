package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The gateway's tools that ask other models. Chat fact sheet, section 5; plugins fact sheet,
 * sections 4 and 12.
 */
final class ModelTools {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9 _-]{1,64}");

  private static final Rule<Json.Obj> REASONING =
      MemberTable.asJson(
          MemberTable.<Json.Obj>table()
              .optional(
                  "effort",
                  wordAmong("max", "xhigh", "high", "medium", "low", "minimal", "none").orNull())
              .optional("max_tokens", integer(0, Integer.MAX_VALUE))
              .build());

  private static final Rule<Json.Obj> PANEL_TOOL =
      MemberTable.asJson(
          MemberTable.<Json.Obj>table()
              .required("type", name())
              .optional("parameters", object())
              .build());

  private static final int MAX_PANEL_TOOLS = 8;

  private static final Rule<Object> RESPONSES_ONLY =
      (value, context) -> {
        context.reject("is only for /responses", value);
        return null;
      };

  /** The options of {@code router:advisor}. */
  static final MemberTable<Json.Obj> ADVISOR = advisor().build();

  private ModelTools() {}

  /**
   * Returns the options of {@code router:fusion}, which asks a panel of models.
   *
   * @param rulesByType the rules for the gateway's tools, by type
   */
  static MemberTable<Json.Obj> fusion(Map<String, Rule<Tool>> rulesByType) {
    return MemberTable.<Json.Obj>table()
        .optional("analysis_models", items(name(), 1, 8))
        .optional("model", name())
        .optional("tools", items(panelTool(rulesByType), 0, MAX_PANEL_TOOLS))
        .optional("max_tool_calls", integer(1, 16))
        .optional("max_completion_tokens", integerAtLeast(1))
        .optional("reasoning", REASONING)
        .optional("temperature", number(0, 2))
        .optional("cache_control", SharedMembers.CACHE_CONTROL)
        .build();
  }

  /** Returns the rule for a tool of a panel. It may have the same parameters as in a request. */
  private static Rule<Json.Obj> panelTool(Map<String, Rule<Tool>> rulesByType) {
    return (value, context) -> {
      Json.Obj tool = PANEL_TOOL.read(value, context);
      checkParameters(value, rulesByType, context);
      return tool;
    };
  }

  /**
   * Notes problems of the parameters of one tool of a panel. Its type and its other members are
   * checked elsewhere.
   */
  static void checkParameters(
      Json value, Map<String, Rule<Tool>> rulesByType, DecodingContext context) {
    String type = value instanceof Json.Obj tool ? tool.text("type") : null;
    if (type == null || !(value instanceof Json.Obj tool && tool.object("parameters") != null)) {
      return;
    }
    Rule<Tool> rule = rulesByType.get(type.indexOf(':') < 0 ? "router:" + type : type);
    if (rule != null) {
      rule.read(
          Json.object()
              .put("type", type)
              .put("parameters", Objects.requireNonNull(tool.get("parameters")))
              .build(),
          context);
    }
  }

  /** Returns whether a value is a valid name of an advisor or a subagent. */
  static boolean isName(Json value) {
    return value instanceof Json.Str str && Rules.isName(str) && NAME.matcher(str.text()).matches();
  }

  private static MemberTable.Builder<Json.Obj> advisor() {
    return MemberTable.<Json.Obj>table()
        .optional("name", matching(NAME, "must be 1 to 64 of A-Z a-z 0-9 _ - and space"))
        .optional("model", name())
        .optional("instructions", string())
        .optional("forward_transcript", bool())
        .optional("max_tool_calls", integer(1, 25))
        .optional("max_completion_tokens", integerAtLeast(1))
        .optional("reasoning", REASONING)
        .optional("temperature", number(0, 2))
        .optional("stream", bool());
  }

  /**
   * Returns the options of {@code router:subagent}.
   *
   * @param tools the rule for the tools it may use
   * @param canInherit whether it may use functions of the request
   */
  static MemberTable<Json.Obj> subagent(Rule<?> tools, boolean canInherit) {
    return advisor()
        .optional("tools", tools)
        .optional("inherit_functions", canInherit ? bool() : RESPONSES_ONLY)
        .optional("inherited_function_names", canInherit ? items(name()) : RESPONSES_ONLY)
        .build();
  }
}
