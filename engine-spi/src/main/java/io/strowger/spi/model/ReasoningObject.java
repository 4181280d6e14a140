package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code reasoning} object of the chat and the responses dialect. Chat fact sheet,
 * sections 2 and 4.
 */
final class ReasoningObject {
  private ReasoningObject() {}

  /**
   * Returns the options. {@code enabled} without an effort or a budget means medium effort.
   *
   * @param reasoning the object; empty when the request has none
   * @param shorthand an effort given outside the object, used when the object has none; null when
   *     not given
   * @param includesReasoning whether to show the reasoning, given outside the object; null when not
   *     given
   */
  static ReasoningOptions options(
      Json.Obj reasoning, @Nullable String shorthand, @Nullable Boolean includesReasoning) {
    Effort effort = effort(Objects.requireNonNullElse(reasoning.text("effort"), ""));
    if (effort == null && shorthand != null) {
      effort = effort(shorthand);
    }
    int budget = Math.clamp(reasoning.longValue("max_tokens", -1), -1, Integer.MAX_VALUE);
    Boolean enabled = bool(reasoning, "enabled");
    if (Boolean.TRUE.equals(enabled) && effort == null && budget < 0) {
      effort = Effort.MEDIUM;
    }
    Boolean isExcluded = bool(reasoning, "exclude");
    boolean isHidden = isExcluded == null ? Boolean.FALSE.equals(includesReasoning) : isExcluded;
    return new ReasoningOptions(
        effort, budget, enabled, reasoning.text("summary"), isHidden, false);
  }

  private static @Nullable Effort effort(String name) {
    return Effort.ofWireName(name).orElse(null);
  }

  /** Returns a boolean member; null when it is absent or not a boolean. */
  static @Nullable Boolean bool(Json.Obj object, String name) {
    return object.get(name) instanceof Json.Bool bool ? bool.value() : null;
  }
}
