package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The reasoning options of a request, independent of its dialect. Immutable. Chat fact sheet,
 * section 4.
 *
 * @param effort null when it was not said
 * @param budget most tokens to think; -1 when it was not said, 0 for none
 * @param enabled null when it was not said
 * @param summary {@code auto}, {@code concise}, {@code detailed}; null when it was not said
 * @param hidden the caller does not want to see it
 * @param adaptive the model decides how much
 */
public record ReasoningOptions(
    @Nullable Effort effort,
    int budget,
    @Nullable Boolean enabled,
    @Nullable String summary,
    boolean hidden,
    boolean adaptive) {
  /** Nothing was said. */
  public static final ReasoningOptions NONE =
      new ReasoningOptions(null, -1, null, null, false, false);

  /** Returns whether the request says that there is to be no reasoning. */
  public boolean isDisabled() {
    return effort == Effort.NONE || budget == 0 || Boolean.FALSE.equals(enabled);
  }

  /** Returns whether the request says that there is to be reasoning. */
  public boolean isRequested() {
    return !isDisabled()
        && (effort != null || budget > 0 || adaptive || Boolean.TRUE.equals(enabled));
  }

  /**
   * Returns whether a request says that its reasoning is not to be shown: {@code
   * reasoning.exclude}, or the older {@code include_reasoning} where that says nothing. The same in
   * every dialect.
   *
   * @param members of the request
   */
  public static boolean isExcluded(Json.Obj members) {
    Json.Obj reasoning = members.object("reasoning");
    Json excluded = reasoning == null ? null : reasoning.get("exclude");
    return excluded instanceof Json.Bool said
        ? said.value()
        : Json.FALSE.equals(members.get("include_reasoning"));
  }
}
