package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.Set;

/** Reports members of functions that other dialects do not have. */
public final class ToolMembers {
  private static final String INNER = "function";

  private ToolMembers() {}

  /**
   * Reports the members of a function that are not sent.
   *
   * @param known the members the dialect has, or whose loss is reported elsewhere
   */
  public static void reportUnknown(Tool.Function function, Set<String> known, Losses losses) {
    reportUnknown(function.extras(), known, losses);
    Json.Obj inner = function.extras().object(INNER);
    if (inner != null) {
      reportUnknown(inner, known, losses);
    }
  }

  private static void reportUnknown(Json.Obj extras, Set<String> known, Losses losses) {
    for (int i = 0; i < extras.size(); i++) {
      String name = extras.name(i);
      boolean isUnset = extras.value(i) instanceof Json.Null || extras.value(i).equals(Json.FALSE);
      if (!isUnset && !name.equals(INNER) && !name.equals("type") && !known.contains(name)) {
        losses.dropped("tools." + name, "functions have no such member in this dialect");
      }
    }
  }
}
