package io.strowger.plugins.fusion;

import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.plugin.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A tool that the models of a panel may use.
 *
 * @param type the type, such as {@code router:web_search}
 * @param parameters the parameters of the tool; empty when the caller gave none
 */
public record PanelTool(String type, Json.Obj parameters) {
  private static final int MAX_TOOLS = 8;

  /** The default tools: web search and web fetch. */
  static final List<PanelTool> DEFAULTS =
      List.of(
          new PanelTool("router:web_search", Json.Obj.EMPTY),
          new PanelTool("router:web_fetch", Json.Obj.EMPTY));

  /** The member of a plugin entry; absent means the default tools, an empty list means none. */
  static final Field<List<PanelTool>> FIELD =
      new Field<>(
          "tools",
          PanelTool::readAll,
          DEFAULTS,
          "The tools of the panel models, at most 8. If absent, web search and web fetch;"
              + " if empty, none.",
          schema(),
          false);

  /** Returns the type with its prefix; a type without one names a tool of the gateway. */
  String qualifiedType() {
    return type.indexOf(':') < 0 ? "router:" + type : type;
  }

  Json json() {
    return Json.object().put("type", qualifiedType()).put("parameters", parameters).build();
  }

  /**
   * Returns a problem for each tool that the gateway does not have for a panel.
   *
   * @param at the pointer to the list of tools
   */
  static List<Problem> problemsOfUnavailable(
      List<PanelTool> tools, JsonPointer at, Set<String> available) {
    var problems = new ArrayList<Problem>();
    for (int i = 0; i < tools.size(); i++) {
      PanelTool tool = tools.get(i);
      if (!available.contains(tool.qualifiedType())) {
        problems.add(new Problem(at.child(i).child("type"), allowed(available), tool.type()));
      }
    }
    return problems;
  }

  /** Returns the message that names the allowed types. */
  private static String allowed(Set<String> available) {
    return available.isEmpty()
        ? "must not be given: the gateway has no tool for a panel"
        : "must be one of " + String.join(", ", new TreeSet<>(available));
  }

  /** Returns the tools of a list that was checked before. */
  static List<PanelTool> of(Json.Arr items) {
    return readAll(items, (below, allowed, given) -> {});
  }

  private static List<PanelTool> readAll(Json member, Field.Reporter problems) {
    if (!(member instanceof Json.Arr items)) {
      problems.report("", "must be an array of objects", member);
      return List.of();
    }
    if (items.size() > MAX_TOOLS) {
      problems.report("", "must have at most " + MAX_TOOLS + " items", Json.of(items.size()));
    }
    var tools = new ArrayList<PanelTool>();
    for (int i = 0; i < Math.min(items.size(), MAX_TOOLS); i++) {
      tools.add(read(items.get(i), "/" + i, problems));
    }
    return List.copyOf(tools);
  }

  private static PanelTool read(Json item, String at, Field.Reporter problems) {
    if (!(item instanceof Json.Obj tool)) {
      problems.report(at, "must be an object", item);
      return new PanelTool("", Json.Obj.EMPTY);
    }
    String type = tool.text("type");
    Json typeValue = tool.get("type");
    if (typeValue == null) {
      problems.reportMissing(at + "/type");
    } else if (type == null) {
      problems.report(at + "/type", "must be a string", typeValue);
    }
    Json parameters = tool.get("parameters");
    if (parameters != null && !(parameters instanceof Json.Obj)) {
      problems.report(at + "/parameters", "must be an object", parameters);
    }
    return new PanelTool(
        type == null ? "" : type,
        parameters instanceof Json.Obj object ? object.detached() : Json.Obj.EMPTY);
  }

  private static Json.Obj schema() {
    var properties =
        Json.object()
            .put("type", Json.object().put("type", "string").build())
            .put("parameters", Json.object().put("type", "object").build());
    var item =
        Json.object()
            .put("type", "object")
            .put("properties", properties.build())
            .put("required", Json.array(Json.of("type")));
    return Json.object()
        .put("type", "array")
        .put("maxItems", MAX_TOOLS)
        .put("items", item.build())
        .build();
  }
}
