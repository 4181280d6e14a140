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
 * The options of a tool of the gateway, which stand flat in the tool, under {@code parameters}, or
 * some here and some there. An option that stands in both places has to be the same in both. Chat
 * fact sheet, section 5.
 */
final class ToolOptions {
  private static final String INSIDE = "parameters";

  /** Members of a tool that are no options, whatever the tool. */
  private static final Set<String> OF_TOOL = Set.of("type", INSIDE, "cache_control");

  /** The rule for a tool that a plugin brings: what it takes is for the plugin to say. */
  static final Rule<Tool> BROUGHT =
      open(MemberTable.<Json.Obj>table().build(), MemberTable.<Json.Obj>table().build());

  private interface Names {
    boolean have(String name);
  }

  private ToolOptions() {}

  /** The rule for a tool whose options the contract lists. */
  static Rule<Tool> listed(MemberTable<Json.Obj> options) {
    return listed(options, options);
  }

  /**
   * The same, where what crosses options is not the same in both places.
   *
   * @param flat judges the whole tool
   * @param inside judges what is under {@code parameters}
   */
  static Rule<Tool> listed(MemberTable<Json.Obj> flat, MemberTable<Json.Obj> inside) {
    return rule(flat, inside, flat.names()::contains);
  }

  /** The rule for a tool that may have options nobody lists; parameters as of {@link #listed}. */
  static Rule<Tool> open(MemberTable<Json.Obj> flat, MemberTable<Json.Obj> inside) {
    return rule(flat, inside, ToolOptions::mayBeOption);
  }

  /** Whether a member of a tool is an option of a tool that may have any. */
  static boolean mayBeOption(String name) {
    return !OF_TOOL.contains(name);
  }

  /** The option of this name, wherever it stands; null when it is not given. */
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

  /** The options under {@code parameters}, then those that stand flat only. */
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
