package io.strowger.core.guardrail;

import io.strowger.spi.error.ShortText;
import org.jspecify.annotations.Nullable;

/**
 * A filter: what to detect, and what to do with a match.
 *
 * @param name the name that callers see
 * @param label the text that replaces a match
 * @param isUserOnly whether only messages of users are scanned
 * @param detectsInjection whether a match is a prompt injection rather than sensitive data
 */
record FilterRule(
    String name,
    Detector detector,
    FilterAction action,
    String label,
    boolean isUserOnly,
    boolean detectsInjection) {
  private static final int MAX_NAME_CHARS = 100;
  private static final String REDACTED = "[REDACTED]";

  /**
   * @param injectionUserOnly whether prompt injections are looked for only in messages of users; no
   *     effect on other filters
   */
  static FilterRule of(BuiltinFilter filter, FilterAction action, boolean injectionUserOnly) {
    boolean isInjection = filter == BuiltinFilter.REGEX_PROMPT_INJECTION;
    return new FilterRule(
        filter.slug(),
        filter.detector(),
        action,
        filter.label(),
        injectionUserOnly && isInjection,
        isInjection);
  }

  /**
   * Creates the rule for a pattern.
   *
   * @param label the label, which is also the name; null for the default label and the beginning of
   *     the pattern as the name
   */
  static FilterRule of(String pattern, FilterAction action, @Nullable String label) {
    String name = label != null ? label : ShortText.withEllipsis(pattern, MAX_NAME_CHARS);
    return new FilterRule(
        name, FilterPattern.of(pattern), action, label == null ? REDACTED : label, false, false);
  }

  /** Returns whether a match changes or blocks the text; false if it is only recorded. */
  boolean enforces() {
    return action != FilterAction.FLAG;
  }

  /** Returns this rule, with redaction instead of blocking. */
  FilterRule withoutBlocking() {
    return action == FilterAction.BLOCK
        ? new FilterRule(name, detector, FilterAction.REDACT, label, isUserOnly, detectsInjection)
        : this;
  }

  /** Returns a rule for a pattern, with a name that callers see. */
  static FilterRule named(String name, String pattern, FilterAction action) {
    return new FilterRule(name, FilterPattern.of(pattern), action, REDACTED, false, false);
  }
}
