package io.strowger.core.guardrail;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts of one answer. Fragments of the same kind, and for tool arguments of the same call, are
 * one text, whatever comes between them. Confined to one thread.
 */
final class AnswerTexts {
  /** Upper bound on the texts of an answer: one for each kind and one for each tool call. */
  private static final int MAX_TEXTS = 512;

  private final List<FilterRule> rules;
  private final Findings findings;
  private final boolean isEnforcing;
  private final Map<Channel, AnswerText> texts = new LinkedHashMap<>();

  /** The kind of a text in an answer. */
  enum Kind {
    TEXT,
    REASONING,
    SUMMARY,
    REFUSAL,
    /** The arguments of a tool call, which are JSON. */
    ARGUMENTS
  }

  /** Identifies a text. */
  private record Channel(Kind kind, int index) {}

  AnswerTexts(List<FilterRule> rules, Findings findings) {
    this.rules = rules;
    this.findings = findings;
    this.isEnforcing = rules.stream().anyMatch(FilterRule::enforces);
  }

  /**
   * Returns the text that a fragment belongs to. More than {@value #MAX_TEXTS} texts block the
   * answer; if all rules only flag, the earlier texts end instead.
   *
   * @param index the number of the tool call; 0 for other kinds
   */
  AnswerText get(Kind kind, int index) {
    var channel = new Channel(kind, index);
    if (texts.size() >= MAX_TEXTS && !texts.containsKey(channel)) {
      if (isEnforcing) {
        findings
            .blockTooManyTexts(); // discarding a text instead could miss a match that continues in
        // it
      } else {
        endAll();
        texts.clear();
      }
    }
    return texts.computeIfAbsent(
        channel,
        key ->
            key.kind() == Kind.ARGUMENTS
                ? AnswerText.json(rules, findings)
                : AnswerText.plain(rules, findings));
  }

  /** Ends all texts and decides them. */
  void endAll() {
    texts.values().forEach(AnswerText::end);
  }

  /** Returns whether a match was replaced in a text of a kind. */
  boolean isChanged(Kind kind) {
    return texts.entrySet().stream()
        .anyMatch(entry -> entry.getKey().kind() == kind && entry.getValue().hasChanged());
  }

  /** Returns whether a match was replaced in the model's reasoning or in its summary. */
  boolean isReasoningChanged() {
    return isChanged(Kind.REASONING) || isChanged(Kind.SUMMARY);
  }

  /** Returns whether the answer is blocked, so that nothing more may be passed on. */
  boolean isBlocked() {
    return findings.isBlocked();
  }
}
