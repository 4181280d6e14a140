package io.strowger.providers.translate;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import java.util.Set;

/** What callers say of a function that other dialects have no member for. */
public final class ToolMembers {
  private static final String INNER = "function";

  private ToolMembers() {}

  /**
   * Tells what does not leave with a function.
   *
   * @param known members the dialect has, or tells of itself
   */
  public static void besides(Tool.Function function, Set<String> known, Losses losses) {
    besides(function.extras(), known, losses);
    Json.Obj inner = function.extras().object(INNER);
    if (inner != null) {
      besides(inner, known, losses);
    }
  }

  private static void besides(Json.Obj extras, Set<String> known, Losses losses) {
    for (int i = 0; i < extras.size(); i++) {
      String name = extras.name(i);
      boolean unsaid = extras.value(i) instanceof Json.Null || extras.value(i).equals(Json.FALSE);
      if (!unsaid && !name.equals(INNER) && !name.equals("type") && !known.contains(name)) {
        losses.dropped("tools." + name, "functions have no such member here");
      }
    }
  }
}
