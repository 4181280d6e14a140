package io.strowger.core.dialect;

import static io.strowger.core.decode.MemberTable.members;
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
import static io.strowger.core.dialect.ToolOptions.withKnownOptions;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The rules for the options of each of the gateway's tools. Chat fact sheet, section 5; plugins
 * fact sheet, sections 4 and 12.
 */
final class ServerToolRules {
  private static final Rule<Json.Arr> DOMAINS = items(name());

  /**
   * The rule for {@code router:web_search}, under any of its names. The first table is for options
   * that are members of the tool itself, the second for those under {@code parameters}; only the
   * first sees both places, so only it compares them.
   */
  static final Rule<Tool> WEB_SEARCH =
      withKnownOptions(webSearch().addRule(ServerToolRules::rejectSplitDomainLists), webSearch());

  /** The rule for {@code router:web_fetch}. */
  static final Rule<Tool> WEB_FETCH =
      withKnownOptions(
          members()
              .optional("allowed_domains", DOMAINS)
              .optional("blocked_domains", DOMAINS)
              .optional(
                  "engine", wordAmong("auto", "native", "router", "exa", "parallel", "firecrawl"))
              .optional("max_content_tokens", integerAtLeast(1))
              .optional("max_uses", integerAtLeast(1)));

  /** The rule for {@code router:experimental__search_models}. */
  static final Rule<Tool> SEARCH_MODELS =
      withKnownOptions(members().optional("max_results", integer(1, 20)));

  /** The rule for {@code router:tool_search}. */
  static final Rule<Tool> TOOL_SEARCH =
      withKnownOptions(members().optional("max_results", integer(1, 50)));

  private static final long MAX_SLEEP_SECONDS = 2_592_000; // 30 days

  /** The form of a time zone name; the tool itself checks that the zone exists. */
  private static final Rule<String> TIME_ZONE =
      matching(
          Pattern.compile("[A-Za-z][A-Za-z0-9_+-]*+(?:/[A-Za-z0-9_+-]++)*+"),
          "must be the name of a time zone, such as Europe/Paris");

  private static final Union<Json.Obj> ENVIRONMENT =
      Union.<Json.Obj>on("type")
          .when("container_auto", members().asJson())
          .when(
              "container_reference",
              members()
                  .required(
                      "container_id",
                      matching(
                          Pattern.compile("[\\w-]{1,20}"), "must be 1 to 20 of A-Z a-z 0-9 _ -"))
                  .asJson());

  /** The rule for {@code router:datetime}. */
  static final Rule<Tool> DATETIME = withKnownOptions(members().optional("timezone", TIME_ZONE));

  /** The rule for {@code router:bash}. */
  static final Rule<Tool> BASH = shell("auto", "native", "router");

  /** The rule for {@code router:shell}. */
  static final Rule<Tool> SHELL = shell("auto", "router");

  /** The rule for {@code router:image_generation}: a model, and members of {@code image_config}. */
  static final Rule<Tool> IMAGE_GENERATION =
      ToolOptions.withAnyOptions(
          imageOptions(ToolOptions::mayBeOption), imageOptions(name -> true));

  /** The rule for {@code router:files} and {@code router:apply_patch}, which have no options. */
  static final Rule<Tool> NO_OPTIONS = withKnownOptions(members());

  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9 _-]{1,64}");

  private static final Rule<Json.Obj> REASONING =
      members()
          .optional(
              "effort",
              wordAmong("max", "xhigh", "high", "medium", "low", "minimal", "none").orNull())
          .optional("max_tokens", integer(0, Integer.MAX_VALUE))
          .asJson();

  private static final Rule<Json.Obj> PANEL_TOOL =
      members().required("type", name()).optional("parameters", object()).asJson();

  private static final int MAX_PANEL_TOOLS = 8;

  private static final Rule<Object> RESPONSES_ONLY =
      (value, context) -> {
        context.reject("is only for /responses", value);
        return null;
      };

  /** The rule for {@code router:advisor}. */
  static final Rule<Tool> ADVISOR = withKnownOptions(advisor());

  private ServerToolRules() {}

  private static MemberTable.JsonBuilder webSearch() {
    return members()
        .optional("allowed_domains", DOMAINS)
        .optional("excluded_domains", DOMAINS)
        .optional(
            "engine", wordAmong("native", "exa", "parallel", "firecrawl", "perplexity", "auto"))
        .optional(
            "mode",
            wordAmong(
                "instant",
                "fast",
                "auto",
                "deep-lite",
                "deep",
                "deep-reasoning",
                "turbo",
                "basic",
                "advanced"))
        .optional("max_results", integer(1, 25))
        .optional("max_total_results", integerAtLeast(1))
        .optional("max_uses", integerAtLeast(1))
        .optional("max_characters", integer(1, 100_000))
        .optional("search_context_size", wordAmong("low", "medium", "high"))
        .optional("user_location", SharedMembers.USER_LOCATION)
        .addRule(ServerToolRules::rejectBothDomainLists);
  }

  /** Rejects {@code excluded_domains} beside {@code allowed_domains}. */
  private static void rejectBothDomainLists(Json.Obj options, DecodingContext context) {
    if (options.get("excluded_domains") instanceof Json.Arr excluded
        && options.get("allowed_domains") instanceof Json.Arr) {
      context.reject(
          "excluded_domains", "must not be given together with allowed_domains", excluded);
    }
  }

  /**
   * Rejects the two lists when one is a member of the tool itself and the other is under {@code
   * parameters}.
   */
  private static void rejectSplitDomainLists(Json.Obj tool, DecodingContext context) {
    Json.Obj parameters = tool.object("parameters");
    if (parameters != null) {
      rejectBoth(tool, "excluded_domains", parameters, "allowed_domains", context);
      rejectBoth(tool, "allowed_domains", parameters, "excluded_domains", context);
    }
  }

  private static void rejectBoth(
      Json.Obj tool, String name, Json.Obj parameters, String otherName, DecodingContext context) {
    if (tool.get(name) instanceof Json.Arr value
        && parameters.get(otherName) instanceof Json.Arr
        && !tool.has(otherName)) {
      context.reject(name, "must not be given together with " + otherName, value);
    }
  }

  private static Rule<Tool> shell(String... engines) {
    return withKnownOptions(
        members()
            .optional("engine", wordAmong(engines))
            .optional("environment", ENVIRONMENT)
            .optional("sleep_after_seconds", integer(1, MAX_SLEEP_SECONDS)));
  }

  /**
   * @param isConfigMember tells which members belong to {@code image_config}
   */
  private static MemberTable.JsonBuilder imageOptions(Predicate<String> isConfigMember) {
    return members()
        .optional("model", name())
        .addRule((options, context) -> checkImageConfig(options, isConfigMember, context));
  }

  private static void checkImageConfig(
      Json.Obj options, Predicate<String> isConfigMember, DecodingContext context) {
    for (int i = 0; i < options.size(); i++) {
      boolean isValid =
          switch (options.value(i)) {
            case Json.Str s -> true;
            case Json.Num n -> true;
            case Json.Arr a -> true;
            case Json.Obj o -> false;
            case Json.Bool b -> false;
            case Json.Null n -> false;
          };
      if (!isValid && !options.name(i).equals("model") && isConfigMember.test(options.name(i))) {
        context.reject(options.name(i), "must be a string, number or array", options.value(i));
      }
    }
  }

  /**
   * Returns the rule for {@code router:fusion}, which asks a panel of models.
   *
   * @param rulesByType the rules for the gateway's tools, by type
   */
  static Rule<Tool> fusion(Map<String, Rule<Tool>> rulesByType) {
    return withKnownOptions(
        members()
            .optional("analysis_models", items(name(), 1, 8))
            .optional("model", name())
            .optional("tools", items(panelTool(rulesByType), 0, MAX_PANEL_TOOLS))
            .optional("max_tool_calls", integer(1, 16))
            .optional("max_completion_tokens", integerAtLeast(1))
            .optional("reasoning", REASONING)
            .optional("temperature", number(0, 2))
            .optional("cache_control", SharedMembers.CACHE_CONTROL));
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
              .put("parameters", RequiredMember.value(tool, "parameters"))
              .build(),
          context);
    }
  }

  /** Returns whether a value is a valid name of an advisor or a subagent. */
  static boolean isName(Json value) {
    return value instanceof Json.Str str && Rules.isName(str) && NAME.matcher(str.text()).matches();
  }

  private static MemberTable.JsonBuilder advisor() {
    return members()
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
   * Returns the rule for {@code router:subagent}.
   *
   * @param tools the rule for the tools it may use
   * @param canInherit whether it may use functions of the request
   */
  static Rule<Tool> subagent(Rule<?> tools, boolean canInherit) {
    return withKnownOptions(
        advisor()
            .optional("tools", tools)
            .optional("inherit_functions", canInherit ? bool() : RESPONSES_ONLY)
            .optional("inherited_function_names", canInherit ? items(name()) : RESPONSES_ONLY));
  }
}
