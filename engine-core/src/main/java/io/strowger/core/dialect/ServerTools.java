package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.list;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Tool;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the gateway's own tools among the tools of a request. Chat fact sheet, section 5;
 * messages fact sheet, section 2; plugins fact sheet, section 12.
 */
public final class ServerTools {
  private static final String PREFIX = "router:";
  private static final String FUSION = "router:fusion";
  private static final String ADVISOR = "router:advisor";
  private static final String SUBAGENT = "router:subagent";

  /** Tools of some dialects only; plugins do not add them to other dialects. */
  private static final Set<String> DIALECT_SPECIFIC =
      Set.of("router:shell", "router:tool_search", "router:apply_patch");

  /** Other spellings of {@code router:web_search}. */
  private static final List<String> WEB_SEARCH_ALIASES =
      List.of(
          "web_search",
          "web_search_preview",
          "web_search_preview_2025_03_11",
          "web_search_2025_08_26");

  /** The rules for the tools of an entry of the plugin {@code fusion}, in any dialect. */
  private static final Map<String, Rule<Tool>> PANEL_TOOL_RULES = rulesByType(Dialect.RESPONSES);

  private ServerTools() {}

  /**
   * Returns the type under which a tool runs: {@code router:web_search} for its other spellings,
   * otherwise the type itself.
   */
  public static String canonicalType(String type) {
    return WEB_SEARCH_ALIASES.contains(type) ? "router:web_search" : type;
  }

  /** Returns whether a type is named like a tool of the gateway; such a tool need not exist. */
  public static boolean isServerTool(String type) {
    return type.startsWith(PREFIX) || WEB_SEARCH_ALIASES.contains(type);
  }

  /** Returns the types of the gateway's tools that a request of a dialect may declare. */
  public static Set<String> types(Dialect dialect) {
    return Collections.unmodifiableSet(rulesByType(dialect).keySet());
  }

  /**
   * Adds the types of the gateway's tools and of its plugins' tools.
   *
   * @param tools the union over {@code type} of the dialect's own tools
   */
  public static Union<Tool> addTo(Union<Tool> tools, Dialect dialect) {
    Union<Tool> union = tools;
    for (Map.Entry<String, Rule<Tool>> entry : rulesByType(dialect).entrySet()) {
      union = union.when(entry.getKey(), entry.getValue());
    }
    return withPluginTools(union, ToolOptions.PLUGIN_TOOL);
  }

  /** Adds the types of plugins' tools, for a place that declares or chooses a tool. */
  public static <T> Union<T> withPluginTools(Union<T> union, Rule<? extends T> rule) {
    return union.whenOneOf(ServerTools::pluginToolTypes, rule);
  }

  private static Set<String> pluginToolTypes(DecodingContext context) {
    Set<String> types = context.plugins().toolTypes();
    if (Collections.disjoint(types, DIALECT_SPECIFIC)) {
      return types;
    }
    var allowed = new LinkedHashSet<>(types);
    allowed.removeAll(DIALECT_SPECIFIC);
    return allowed;
  }

  /**
   * Returns the rule for {@link Union#orElse} of a dialect that passes on tools of unknown types:
   * it rejects unknown types with the gateway's prefix and applies the given rule to all others.
   */
  public static Rule<Tool> passThrough(Dialect dialect, Rule<Tool> fallback) {
    Set<String> known = types(dialect);
    return (value, context) -> {
      if (value instanceof Json.Obj tool
          && tool.get("type") instanceof Json.Str type
          && type.startsWithIgnoreCase(PREFIX)) {
        context.reject("type", Union.oneOf(known, pluginToolTypes(context)), type);
        return null;
      }
      return fallback.read(value, context);
    };
  }

  /**
   * Returns the rule for {@code tools}: every item is valid; advisors have distinct names and at
   * most one has none; the same holds for subagents; and there is at most one panel, since a panel
   * is asked once for each answer.
   */
  public static Rule<List<Tool>> listRule(Rule<Tool> item) {
    Rule<List<Tool>> listOfItems = list(item);
    return (value, context) -> {
      List<Tool> tools = listOfItems.read(value, context);
      if (value instanceof Json.Arr items) {
        requireDistinctNames(items, ADVISOR, context);
        requireDistinctNames(items, SUBAGENT, context);
        requireSinglePanel(items, context);
      }
      return tools;
    };
  }

  private static Map<String, Rule<Tool>> rulesByType(Dialect dialect) {
    boolean isResponses = dialect == Dialect.RESPONSES;
    Map<String, Rule<Tool>> rules = new LinkedHashMap<>();
    rules.put("router:web_search", ServerToolRules.WEB_SEARCH);
    WEB_SEARCH_ALIASES.forEach(type -> rules.put(type, ServerToolRules.WEB_SEARCH));
    rules.put("router:web_fetch", ServerToolRules.WEB_FETCH);
    rules.put("router:datetime", ServerToolRules.DATETIME);
    rules.put("router:files", ServerToolRules.NO_OPTIONS);
    rules.put("router:bash", ServerToolRules.BASH);
    rules.put("router:image_generation", ServerToolRules.IMAGE_GENERATION);
    rules.put("router:experimental__search_models", ServerToolRules.SEARCH_MODELS);
    rules.put(FUSION, ServerToolRules.fusion(Map.copyOf(rules)));
    rules.put(ADVISOR, ServerToolRules.ADVISOR);
    if (isResponses || dialect == Dialect.MESSAGES) {
      rules.put("router:shell", ServerToolRules.SHELL);
      rules.put("router:tool_search", ServerToolRules.TOOL_SEARCH);
    }
    if (isResponses) {
      rules.put("router:apply_patch", ServerToolRules.NO_OPTIONS);
    }
    Union<Tool> inner = withPluginTools(Union.on("type"), ToolOptions.PLUGIN_TOOL);
    for (Map.Entry<String, Rule<Tool>> entry : rules.entrySet()) {
      inner = inner.when(entry.getKey(), entry.getValue());
    }
    rules.put(SUBAGENT, ServerToolRules.subagent(listRule(inner), isResponses));
    return rules;
  }

  private static void requireDistinctNames(Json.Arr tools, String type, DecodingContext context) {
    Set<String> names = new HashSet<>(0);
    boolean hasUnnamed = false;
    for (int i = 0; i < tools.size(); i++) {
      if (!(tools.get(i) instanceof Json.Obj tool)
          || !(tool.get("type") instanceof Json.Str kind && kind.is(type))
          || isNotObject(tool.get("parameters"))) {
        continue;
      }
      Json name = ToolOptions.option(tool, "name");
      if (name == null) {
        if (hasUnnamed) {
          context
              .problems()
              .add(
                  namePointer(tool, i, context),
                  "is required: only one " + type + " may have no name",
                  "");
        }
        hasUnnamed = true;
      } else if (ServerToolRules.isName(name) && !names.add(((Json.Str) name).text())) {
        context
            .problems()
            .add(namePointer(tool, i, context), "must not be that of another " + type, name);
      }
    }
  }

  private static void requireSinglePanel(Json.Arr tools, DecodingContext context) {
    boolean hasPanel = false;
    for (int i = 0; i < tools.size(); i++) {
      if (tools.get(i) instanceof Json.Obj tool && FUSION.equals(tool.text("type"))) {
        if (hasPanel) {
          context
              .problems()
              .add(
                  context.pointer().child(i).child("type"),
                  "must not be declared twice: a panel is asked once for each answer",
                  FUSION);
        }
        hasPanel = true;
      }
    }
  }

  /**
   * Notes problems of the parameters of the tools in an entry of the plugin {@code fusion}. The
   * rules are those for the tools of a request.
   *
   * @param entry the plugin's entry in the body of a request
   */
  static void checkFusionTools(Json.Obj entry, DecodingContext context) {
    Json.Arr tools = entry.list("tools");
    if (tools == null) {
      return;
    }
    context.enter("tools");
    for (int i = 0; i < tools.size(); i++) {
      context.enter(i);
      ServerToolRules.checkParameters(tools.get(i), PANEL_TOOL_RULES, context);
      context.leave();
    }
    context.leave();
  }

  /** Returns whether the parameters are no object, a problem that is already noted. */
  private static boolean isNotObject(@Nullable Json parameters) {
    return parameters != null && !(parameters instanceof Json.Obj);
  }

  private static JsonPointer namePointer(Json.Obj tool, int item, DecodingContext context) {
    JsonPointer at = context.pointer().child(item);
    return (tool.has("name") ? at : at.child("parameters")).child("name");
  }

  /**
   * Notes a {@code tool_choice} that conflicts with {@code router:tool_search}, which needs {@code
   * auto} or {@code allowed_tools}.
   *
   * @param body the body of a request
   */
  public static void rejectForcedToolChoice(Json.Obj body, DecodingContext context) {
    Json choice = body.get("tool_choice");
    if (choice == null || isUnforced(choice) || !has(body.list("tools"), "router:tool_search")) {
      return;
    }
    if (!context.problems().hasProblemUnder(context.pointer().child("tool_choice"))) {
      context.reject(
          "tool_choice", "must be auto or allowed_tools with the tool router:tool_search", choice);
    }
  }

  private static boolean isUnforced(Json choice) {
    String word =
        switch (choice) {
          case Json.Str str -> str.text();
          case Json.Obj object -> object.text("type");
          case Json.Arr a -> null;
          case Json.Num n -> null;
          case Json.Bool b -> null;
          case Json.Null n -> null;
        };
    return "auto".equals(word) || "allowed_tools".equals(word) && choice instanceof Json.Obj;
  }

  private static boolean has(Json.@Nullable Arr tools, String type) {
    for (int i = 0; tools != null && i < tools.size(); i++) {
      if (tools.get(i) instanceof Json.Obj tool && type.equals(tool.text("type"))) {
        return true;
      }
    }
    return false;
  }
}
