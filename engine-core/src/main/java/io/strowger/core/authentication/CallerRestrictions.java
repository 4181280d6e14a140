package io.strowger.core.authentication;

import io.strowger.core.config.Guardrail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The restrictions of a caller's requests other than budgets. Immutable; compared by identity, so
 * that values derived from it can be cached.
 */
public final class CallerRestrictions {
  /** No restrictions other than those of every caller. */
  public static final CallerRestrictions NONE =
      new CallerRestrictions(List.of(), null, null, false, true);

  private final List<Guardrail> guardrails;
  private final @Nullable String defaultModel;
  private final @Nullable String defaultSort;
  private final boolean keepsContent;
  private final boolean broadcasts;

  /**
   * @param guardrails those of the workspace, the key and its user; not those of the configuration,
   *     which bind every caller
   * @param defaultModel the model for requests that name none; null for the account's
   * @param defaultSort the order of endpoints when a request sets none; null for the order of the
   *     account
   * @param keepsContent whether prompts and answers are stored even if the account does not
   * @param broadcasts whether its calls are sent to the destinations of the workspace
   */
  public CallerRestrictions(
      List<Guardrail> guardrails,
      @Nullable String defaultModel,
      @Nullable String defaultSort,
      boolean keepsContent,
      boolean broadcasts) {
    this.guardrails = List.copyOf(guardrails);
    this.defaultModel = defaultModel;
    this.defaultSort = defaultSort;
    this.keepsContent = keepsContent;
    this.broadcasts = broadcasts;
  }

  public List<Guardrail> guardrails() {
    return guardrails;
  }

  public @Nullable String defaultModel() {
    return defaultModel;
  }

  public @Nullable String defaultSort() {
    return defaultSort;
  }

  /** Returns whether prompts and answers are stored with the records of its requests. */
  public boolean keepsContent() {
    return keepsContent;
  }

  /** Returns whether its calls are sent to the destinations of the workspace. */
  public boolean broadcasts() {
    return broadcasts;
  }

  /** Returns whether its requests are routed by the same rules as those of every caller. */
  public boolean hasNoOwnRules() {
    return guardrails.isEmpty() && defaultSort == null;
  }

  @Override
  public String toString() {
    return "restrictions by " + guardrails;
  }
}
