package io.strowger.core.dialect;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the options of a tool of the gateway. Each is a member of the tool itself ("flat") or of
 * its {@code parameters}. An option that is given in both places must be equal in both. Chat fact
 * sheet, section 5.
 */
final class ToolOptions {
  private static final String INSIDE = "parameters";

  /** Members of any tool that are not options. */
  private static final Set<String> OF_TOOL = Set.of("type", INSIDE, "cache_control");

  /** The rule for a plugin's tool, whose options the plugin itself checks. */
  static final Rule<Tool> PLUGIN_TOOL =
      open(MemberTable.<Json.Obj>table().build(), MemberTable.<Json.Obj>table().build());

  private interface Names {
    boolean have(String name);
  }

  private ToolOptions() {}

  /** Returns the rule for a tool whose options the contract lists. */
  static Rule<Tool> listed(MemberTable<Json.Obj> options) {
    return listed(options, options);
  }

  /**
   * Returns the rule for a tool whose options the contract lists, with different checks across
   * options in the two places.
   *
   * @param flat the table for the tool's own members
   * @param inside the table for {@code parameters}
   */
  static Rule<Tool> listed(MemberTable<Json.Obj> flat, MemberTable<Json.Obj> inside) {
    return rule(flat, inside, flat.names()::contains);
  }

  /** Returns the rule for a tool that may have any options; parameters as in {@link #listed}. */
  static Rule<Tool> open(MemberTable<Json.Obj> flat, MemberTable<Json.Obj> inside) {
    return rule(flat, inside, ToolOptions::mayBeOption);
  }

  /** Returns whether a member is an option in a tool that may have any options. */
  static boolean mayBeOption(String name) {
    return !OF_TOOL.contains(name);
  }

  /** Returns an option from either place; null when it is not given. */
  static @Nullable Json given(Json.Obj tool, String option) {
    Json flat = tool.get(option);
    Json.Obj inside = tool.object(INSIDE);
    return flat == null && inside != null ? inside.get(option) : flat;
  }

  private static Rule<Tool> rule(
      MemberTable<Json.Obj> flat, MemberTable<Json.Obj> inside, Names options) {
    Rule<Json.Obj> parameters = MemberTable.kept(inside);
    return (given, context) -> {
      if (!(given instanceof Json.Obj tool)) {
        context.reject("must be an object", given);
        return null;
      }
      int before = context.found();
      flat.read(tool, context, tool);
      Json.Obj all = together(tool, parameters(tool, parameters, context), options, context);
      return context.found() == before
          ? new Tool.Server(
              ServerTools.canonical(Objects.requireNonNull(tool.text("type"))), all, tool)
          : null;
    };
  }

  private static Json.Obj parameters(Json.Obj tool, Rule<Json.Obj> rule, DecodingContext context) {
    Json given = tool.get(INSIDE);
    if (given == null) {
      return Json.Obj.EMPTY;
    }
    context.enter(INSIDE);
    Json.Obj parameters = rule.read(given, context);
    context.leave();
    return parameters == null ? Json.Obj.EMPTY : parameters;
  }

  /**
   * Returns the options under {@code parameters}, followed by those that only the tool itself has.
   * Notes options that differ between the two.
   */
  private static Json.Obj together(
      Json.Obj tool, Json.Obj parameters, Names options, DecodingContext context) {
    Json.Obj.@Nullable Builder all = null;
    for (int i = 0; i < tool.size(); i++) {
      String name = tool.name(i);
      if (!options.have(name)) {
        continue;
      }
      Json same = parameters.get(name);
      if (same == null) {
        all = all == null ? Json.object().putAll(parameters) : all;
        all.put(name, tool.value(i));
      } else if (!same.equals(tool.value(i))) {
        context.reject(name, "must not differ from the one under parameters", tool.value(i));
      }
    }
    return all == null ? parameters : all.build();
  }
}
