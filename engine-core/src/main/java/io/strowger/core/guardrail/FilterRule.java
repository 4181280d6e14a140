package io.strowger.core.guardrail;

import io.strowger.spi.error.ShortText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A filter: what to detect, and what to do with a match.
 *
 * @param name the name that callers see
 * @param label the text that replaces a match
 * @param userOnly whether only messages of users are scanned
 * @param injection whether a match is a prompt injection rather than sensitive data
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
   * Creates the rule for a pattern.
   *
   * @param label the label, which is also the name; null for the default label and the beginning of
   *     the pattern as the name
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

  /** Returns this rule, with redaction instead of blocking. */
  FilterRule withoutBlocking() {
    return action == FilterAction.BLOCK
        ? new FilterRule(name, detector, FilterAction.REDACT, label, userOnly, injection)
        : this;
  }

  /** Returns a rule for a pattern, with a name that callers see. */
  static FilterRule named(String name, String pattern, FilterAction filterAction) {
    return new FilterRule(name, FilterPattern.of(pattern), filterAction, REDACTED, false, false);
  }
}
