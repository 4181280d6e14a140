package io.strowger.core.guardrail;

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
    Action action,
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

  static FilterRule of(Builtin builtin, Action action, boolean userOnly) {
    boolean injection = builtin == Builtin.REGEX_PROMPT_INJECTION;
    return new FilterRule(
        builtin.slug(),
        builtin.detector(),
        action,
        builtin.label(),
        userOnly && injection,
        injection);
  }

  /**
   * @param label null for the usual one; then the pattern's name is its beginning
   */
  static FilterRule of(String pattern, Action action, @Nullable String label) {
    String name =
        label != null
            ? label
            : pattern.length() <= NAME_CHARACTERS
                ? pattern
                : pattern.substring(0, NAME_CHARACTERS) + "...";
    return new FilterRule(
        name, FilterPattern.of(pattern), action, label == null ? REDACTED : label, false, false);
  }

  /** The same rule; what it would block is only taken out. */
  FilterRule withoutBlocking() {
    return action == Action.BLOCK
        ? new FilterRule(name, detector, Action.REDACT, label, userOnly, injection)
        : this;
  }

  /** A pattern with a name that callers read. */
  static FilterRule named(String name, String pattern, Action action) {
    return new FilterRule(name, FilterPattern.of(pattern), action, REDACTED, false, false);
  }
}
