package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The reasoning options of a request, independent of its dialect. Immutable. Chat fact sheet,
 * section 4.
 *
 * @param effort the requested effort; null when not given
 * @param budget the maximum number of reasoning tokens; 0 for no reasoning, -1 when not given
 * @param enabled whether reasoning is switched on or off; null when not given
 * @param summary the summary: {@code auto}, {@code concise}, {@code detailed}; null when not given
 * @param hidden whether the caller wants no reasoning in the answer
 * @param adaptive whether the model decides how much to reason
 */
public record ReasoningOptions(
    @Nullable Effort effort,
    int budget,
    @Nullable Boolean enabled,
    @Nullable String summary,
    boolean hidden,
    boolean adaptive) {
  /** The options of a request that gives none. */
  public static final ReasoningOptions NONE =
      new ReasoningOptions(null, -1, null, null, false, false);

  /** Returns whether the request switches reasoning off. */
  public boolean isDisabled() {
    return effort == Effort.NONE || budget == 0 || Boolean.FALSE.equals(enabled);
  }

  /** Returns whether the request asks for reasoning. */
  public boolean isRequested() {
    return !isDisabled()
        && (effort != null || budget > 0 || adaptive || Boolean.TRUE.equals(enabled));
  }

  /**
   * Returns whether a request asks to leave reasoning out of the answer: by {@code
   * reasoning.exclude} or, without it, by the older {@code include_reasoning}. The same in every
   * dialect.
   *
   * @param members the members of the request
   */
  public static boolean asksToHide(Json.Obj members) {
    Json.Obj reasoning = members.object("reasoning");
    Json excluded = reasoning == null ? null : reasoning.get("exclude");
    return excluded instanceof Json.Bool flag
        ? flag.value()
        : Json.FALSE.equals(members.get("include_reasoning"));
  }
}
