package io.strowger.core.dialect;

import static io.strowger.core.decode.MemberTable.members;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the options of a tool of the gateway. Each option is a member of the tool itself ("flat")
 * or of its {@code parameters}. An option that is given in both places must be equal in both. Chat
 * fact sheet, section 5.
 */
final class ToolOptions {
  private static final String PARAMETERS = "parameters";

  /** Members of any tool that are not options. */
  private static final Set<String> NON_OPTIONS = Set.of("type", PARAMETERS, "cache_control");

  /** The rule for a plugin's tool, whose options the plugin itself checks. */
  static final Rule<Tool> PLUGIN_TOOL = withAnyOptions(members(), members());

  private ToolOptions() {}

  /**
   * Returns the rule for a tool whose options the contract lists. Each option is a member of the
   * tool itself or of {@code parameters}.
   */
  static Rule<Tool> withKnownOptions(MemberTable.JsonBuilder options) {
    return withKnownOptions(options, options);
  }

  /**
   * Returns the rule for a tool whose options the contract lists. Both tables have the same
   * options, but may differ in their checks across options.
   *
   * @param flat the table for the tool's own members
   * @param nested the table for {@code parameters}
   */
  static Rule<Tool> withKnownOptions(MemberTable.JsonBuilder flat, MemberTable.JsonBuilder nested) {
    MemberTable<Json.Obj> flatTable = flat.build();
    return rule(flatTable, nested.asJson(), flatTable.names()::contains);
  }

  /**
   * Returns the rule for a tool that may have any options; parameters as in {@link
   * #withKnownOptions}.
   */
  static Rule<Tool> withAnyOptions(MemberTable.JsonBuilder flat, MemberTable.JsonBuilder nested) {
    return rule(flat.build(), nested.asJson(), ToolOptions::mayBeOption);
  }

  /** Returns whether a member is an option in a tool that may have any options. */
  static boolean mayBeOption(String name) {
    return !NON_OPTIONS.contains(name);
  }

  /** Returns an option from either place; null when it is not given. */
  static @Nullable Json option(Json.Obj tool, String option) {
    Json flat = tool.get(option);
    Json.Obj nested = tool.object(PARAMETERS);
    return flat == null && nested != null ? nested.get(option) : flat;
  }

  private static Rule<Tool> rule(
      MemberTable<Json.Obj> flat, Rule<Json.Obj> parameters, Predicate<String> isOption) {
    return (value, context) -> {
      if (!(value instanceof Json.Obj tool)) {
        context.reject("must be an object", value);
        return null;
      }
      int problemsBefore = context.problemCount();
      flat.read(tool, context, tool);
      Json.Obj merged = merge(tool, parameters(tool, parameters, context), isOption, context);
      return context.problemCount() == problemsBefore
          ? new Tool.Server(
              ServerTools.canonicalType(RequiredMember.text(tool, "type")), merged, tool)
          : null;
    };
  }

  private static Json.Obj parameters(Json.Obj tool, Rule<Json.Obj> rule, DecodingContext context) {
    Json value = tool.get(PARAMETERS);
    if (value == null) {
      return Json.Obj.EMPTY;
    }
    context.enter(PARAMETERS);
    Json.Obj parameters = rule.read(value, context);
    context.leave();
    return parameters == null ? Json.Obj.EMPTY : parameters;
  }

  /**
   * Returns the options under {@code parameters}, followed by those that only the tool itself has.
   * Notes options that differ between the two.
   */
  private static Json.Obj merge(
      Json.Obj tool, Json.Obj parameters, Predicate<String> isOption, DecodingContext context) {
    Json.Obj.@Nullable Builder merged = null;
    for (int i = 0; i < tool.size(); i++) {
      String name = tool.name(i);
      if (!isOption.test(name)) {
        continue;
      }
      Json nestedValue = parameters.get(name);
      if (nestedValue == null) {
        merged = merged == null ? Json.object().putAll(parameters) : merged;
        merged.put(name, tool.value(i));
      } else if (!nestedValue.equals(tool.value(i))) {
        context.reject(name, "must not differ from the one under parameters", tool.value(i));
      }
    }
    return merged == null ? parameters : merged.build();
  }
}
