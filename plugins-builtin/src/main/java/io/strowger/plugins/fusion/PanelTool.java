package io.strowger.plugins.fusion;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * A tool the models asked may use.
 *
 * @param type such as {@code router:web_search}
 * @param parameters of the tool; empty when the caller gave none
 */
public record PanelTool(String type, Json.Obj parameters) {
  private static final int MOST = 8;

  /** Absent means searching and fetching; an empty list means no tools. */
  static final Field<List<PanelTool>> FIELD =
      new Field<>(
          "tools",
          PanelTool::readAll,
          List.of(
              new PanelTool("router:web_search", Json.Obj.EMPTY),
              new PanelTool("router:web_fetch", Json.Obj.EMPTY)),
          "Tools of the models asked, at most 8; absent: searching and fetching; empty: none.",
          schema(),
          false);

  private static List<PanelTool> readAll(Json member, Field.Reporter problems) {
    if (!(member instanceof Json.Arr items)) {
      problems.problem("", "must be an array of objects", member);
      return List.of();
    }
    if (items.size() > MOST) {
      problems.problem("", "must have at most " + MOST + " items", Json.of(items.size()));
    }
    var tools = new ArrayList<PanelTool>();
    for (int i = 0; i < Math.min(items.size(), MOST); i++) {
      tools.add(read(items.get(i), "/" + i, problems));
    }
    return List.copyOf(tools);
  }

  private static PanelTool read(Json item, String at, Field.Reporter problems) {
    if (!(item instanceof Json.Obj tool)) {
      problems.problem(at, "must be an object", item);
      return new PanelTool("", Json.Obj.EMPTY);
    }
    String type = tool.text("type");
    Json given = tool.get("type");
    if (given == null) {
      problems.missing(at + "/type");
    } else if (type == null) {
      problems.problem(at + "/type", "must be a string", given);
    }
    Json parameters = tool.get("parameters");
    if (parameters != null && !(parameters instanceof Json.Obj)) {
      problems.problem(at + "/parameters", "must be an object", parameters);
    }
    return new PanelTool(
        type == null ? "" : type,
        parameters instanceof Json.Obj set ? set.detached() : Json.Obj.EMPTY);
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
        .put("maxItems", MOST)
        .put("items", item.build())
        .build();
  }
}
