package io.strowger.core.guardrail;

import io.strowger.spi.error.ShortText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing to look for, and what to do when it is there.
 *
 * @param name as callers read it
 * @param label stands for what was taken out
 * @param userOnly only in what users say
 * @param injection what is found is no secret but an attempt on the model's instructions
 */
record FilterRule(
    String name,
    Detector detector,
    FilterAction action,
    String label,
    boolean userOnly,
    boolean injection) {
  private static final int NAME_CHARACTERS = 100;
  private static final String REDACTED = "[REDACTED]";

  FilterRule {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(detector, "detector");
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(label, "label");
  }

  static FilterRule of(BuiltinFilter builtinFilter, FilterAction filterAction, boolean userOnly) {
    boolean injection = builtinFilter == BuiltinFilter.REGEX_PROMPT_INJECTION;
    return new FilterRule(
        builtinFilter.slug(),
        builtinFilter.detector(),
        filterAction,
        builtinFilter.label(),
        userOnly && injection,
        injection);
  }

  /**
   * @param label null for the usual one; then the pattern's name is its beginning
   */
  static FilterRule of(String pattern, FilterAction filterAction, @Nullable String label) {
    String name = label != null ? label : ShortText.withDots(pattern, NAME_CHARACTERS);
    return new FilterRule(
        name,
        FilterPattern.of(pattern),
        filterAction,
        label == null ? REDACTED : label,
        false,
        false);
  }

  /** The same rule; what it would block is only taken out. */
  FilterRule withoutBlocking() {
    return action == FilterAction.BLOCK
        ? new FilterRule(name, detector, FilterAction.REDACT, label, userOnly, injection)
        : this;
  }

  /** A pattern with a name that callers read. */
  static FilterRule named(String name, String pattern, FilterAction filterAction) {
    return new FilterRule(name, FilterPattern.of(pattern), filterAction, REDACTED, false, false);
  }
}
