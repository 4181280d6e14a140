package io.strowger.core.authentication;

import io.strowger.core.config.Guardrail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What binds the requests of a caller besides money. Immutable; equal to itself only, so that what
 * is made of it can be kept for it.
 */
public final class CallerRestrictions {
  /** Nothing but what binds everybody. */
  public static final CallerRestrictions NONE =
      new CallerRestrictions(List.of(), null, null, false, true);

  private final List<Guardrail> guardrails;
  private final @Nullable String defaultModel;
  private final @Nullable String defaultSort;
  private final boolean keepsContent;
  private final boolean broadcasts;

  /**
   * @param guardrails those of the workspace, the key and its user; not those of the configuration,
   *     which bind everybody
   * @param defaultModel used by requests that name none; null: the account's
   * @param defaultSort how endpoints are sorted when a request does not say; null: as the account
   *     says
   * @param keepsContent what is said is kept, though the account does not say so
   * @param broadcasts destinations of the workspace are sent its calls
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

  /** What is said in requests is kept with their records. */
  public boolean keepsContent() {
    return keepsContent;
  }

  /** The destinations of the workspace are sent its requests. */
  public boolean broadcasts() {
    return broadcasts;
  }

  /** Routing goes by the same rules as for everybody. */
  public boolean isPlain() {
    return guardrails.isEmpty() && defaultSort == null;
  }

  @Override
  public String toString() {
    return "bounds of " + guardrails;
  }
}
