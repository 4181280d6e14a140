package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code reasoning} as the chat and the responses dialect have it, read into a wish. Chat fact
 * sheet, sections 2 and 4.
 */
final class ReasoningObject {
  private ReasoningObject() {}

  /**
   * What it says. That there is to be reasoning and nothing more means medium effort.
   *
   * @param reasoning empty when the request has none
   * @param shorthand an effort said elsewhere, which counts where the object says none
   * @param included whether the reasoning is to be shown, said elsewhere; null when it was not
   */
  static ReasoningOptions options(
      Json.Obj reasoning, @Nullable String shorthand, @Nullable Boolean included) {
    Effort effort = effort(Objects.requireNonNullElse(reasoning.text("effort"), ""));
    if (effort == null && shorthand != null) {
      effort = effort(shorthand);
    }
    int budget = Math.clamp(reasoning.whole("max_tokens", -1), -1, Integer.MAX_VALUE);
    Boolean enabled = bool(reasoning, "enabled");
    if (Boolean.TRUE.equals(enabled) && effort == null && budget < 0) {
      effort = Effort.MEDIUM;
    }
    Boolean excluded = bool(reasoning, "exclude");
    boolean hidden = excluded == null ? Boolean.FALSE.equals(included) : excluded;
    return new ReasoningOptions(effort, budget, enabled, reasoning.text("summary"), hidden, false);
  }

  private static @Nullable Effort effort(String name) {
    return Effort.ofWireName(name).orElse(null);
  }

  /** A member that is true or false; null when it is absent or neither. */
  static @Nullable Boolean bool(Json.Obj object, String name) {
    return object.get(name) instanceof Json.Bool bool ? bool.value() : null;
  }
}
