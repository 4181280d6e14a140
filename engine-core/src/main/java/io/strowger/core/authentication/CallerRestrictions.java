package io.strowger.core.authentication;

import io.strowger.core.config.Guardrail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The restrictions of a caller's requests other than budgets.
 *
 * @param guardrails those of the workspace, the key and its user; not those of the configuration,
 *     which bind every caller
 * @param defaultModel the model for requests that name none; null for the account's
 * @param defaultSort the order of endpoints when a request sets none; null for the order of the
 *     account
 * @param keepsContent whether prompts and answers are stored with the records of its requests even
 *     if the account does not
 * @param broadcasts whether its calls are sent to the destinations of the workspace
 */
public record CallerRestrictions(
    List<Guardrail> guardrails,
    @Nullable String defaultModel,
    @Nullable String defaultSort,
    boolean keepsContent,
    boolean broadcasts) {
  /** No restrictions other than those of every caller. */
  public static final CallerRestrictions NONE =
      new CallerRestrictions(List.of(), null, null, false, true);

  public CallerRestrictions {
    guardrails = List.copyOf(guardrails);
  }

  /** Returns whether its requests are routed by the same rules as those of every caller. */
  public boolean hasNoOwnRules() {
    return guardrails.isEmpty() && defaultSort == null;
  }
}
