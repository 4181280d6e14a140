package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One text of an answer while it grows. Decides how much of it may be passed on: only text that may
 * still become a match is held back, at most {@value TextScanner#MAX_HELD} characters. Matches are
 * replaced once. Unlike in a request, the text is not scanned again with its labels, since the text
 * around them may already have been passed on. Offsets count from the beginning of the text.
 * Confined to one thread.
 */
final class GuardedText {
  /** Decides which characters a label may replace. */
  interface ReplaceableRanges {
    /** Returns whether a label can replace all characters of a range. */
    boolean isReplaceable(int start, int end);
  }

  private final List<Rule> rules;
  private final Findings findings;
  private final ReplaceableRanges replaceableRanges;
  private final StringBuilder text = new StringBuilder(); // the text from the base offset on
  private final List<Cut> cuts = new ArrayList<>(); // those that begin at or after the released end
  private int base;
  private int released;
  private int labelled; // start of the match that the last label replaced
  private int covered; // end of that match
  private int decided;
  private int blocked = -1; // start of the blocking match; -1 for none

  /** A match to replace by a label. */
  private record Cut(int start, int end, String label) {}

  /** A rule and its scanners of the text. */
  private static final class Rule {
    private final FilterRule rule;
    private final List<TextScanner> scanners;
    private int open;

    Rule(FilterRule rule, List<TextScanner> scanners) {
      this.rule = rule;
      this.scanners = scanners;
    }

    Rule copy() {
      return new Rule(rule, scanners.stream().map(TextScanner::copy).toList());
    }

    boolean enforces() {
      return rule.action() != FilterAction.FLAG;
    }
  }

  GuardedText(List<FilterRule> rules, Findings findings, ReplaceableRanges replaceableRanges) {
    this.rules = rules.stream().map(rule -> new Rule(rule, rule.detector().scanners())).toList();
    this.findings = findings;
    this.replaceableRanges = replaceableRanges;
  }

  /** Returns the length of the text so far. */
  int length() {
    return base + text.length();
  }

  /** Returns the length that has been passed on. */
  int released() {
    return released;
  }

  /** Returns the length that {@link #release} may pass on. */
  int decided() {
    return decided;
  }

  /** Returns whether an offset lies between the two halves of a surrogate pair. */
  boolean isInsidePair(int place) {
    int at = place - base;
    return at > 0
        && at < text.length()
        && Character.isSurrogatePair(text.charAt(at - 1), text.charAt(at));
  }

  /** Returns whether the text is blocked, so that only the decided text may be passed on. */
  boolean isBlocked() {
    return blocked >= 0;
  }

  /** Appends text and scans it. */
  void append(String more) {
    text.append(more);
    look(false, rules);
    forget();
  }

  /**
   * Decides all of the text so far, because other content follows it. If the text continues later,
   * a match that began before the pause is still found and blocks the answer, since its beginning
   * was passed on. Rules that only flag hold nothing back, so they are not run here and scan the
   * text as it continues.
   */
  void pause() {
    if (decided == length()) {
      return;
    }
    var copies = new ArrayList<Rule>(rules.size());
    for (Rule rule : rules) {
      if (rule.enforces()) {
        copies.add(rule.copy());
      }
    }
    look(true, copies);
  }

  /** Ends the text and decides all of it. */
  void end() {
    look(true, rules);
  }

  private void look(boolean ended, List<Rule> by) {
    var window = new TextWindow(base, text.toString(), ended);
    int open = window.end();
    for (Rule rule : by) {
      rule.open = window.end();
      for (TextScanner scanner : rule.scanners) {
        rule.open = Math.min(rule.open, scanner.scan(window, new Found(rule.rule)));
      }
      if (rule.enforces()) {
        open = Math.min(open, rule.open);
      }
    }
    if (isBlocked()) {
      open = Math.min(open, blocked);
    }
    if (!ended && open > released && Character.isHighSurrogate(window.charAt(open - 1))) {
      open--;
    }
    decided = Math.max(decided, open);
  }

  /** Receives the matches of one rule. */
  private final class Found implements TextScanner.MatchListener {
    private final FilterRule rule;

    Found(FilterRule rule) {
      this.rule = rule;
    }

    @Override
    public void found(int start, int end) {
      findings.add(rule, text.substring(start - base, end - base), new CooperativeScan());
      switch (rule.action()) {
        case FLAG -> {}
        case BLOCK -> block(rule, start);
        case REDACT -> {
          if (start >= labelled && start < covered) {
            // a label has already replaced the beginning of this match
            covered = Math.max(covered, end);
          } else if (start < released || !replaceableRanges.isReplaceable(start, end)) {
            block(rule, start);
          } else {
            cuts.add(new Cut(start, end, rule.label()));
          }
        }
      }
    }

    @Override
    public void tooLong(int start) {
      findings.add(rule, "", new CooperativeScan());
      if (rule.action() != FilterAction.FLAG) {
        block(rule, start);
      }
    }
  }

  private void block(FilterRule rule, int start) {
    findings.addBlocking(rule);
    blocked = isBlocked() ? Math.min(blocked, start) : start;
  }

  /**
   * Passes on the text up to an offset, with matches replaced by labels.
   *
   * @param to the offset to end at; at most {@link #decided}
   * @param out receives the text and the labels
   */
  void release(int to, Output out) {
    cuts.sort(Comparator.comparingInt(Cut::start).thenComparingInt(cut -> -cut.end()));
    int next = 0;
    while (next < cuts.size() && cuts.get(next).start() < to) {
      Cut cut = cuts.get(next++);
      if (cut.start() >= covered) {
        plain(cut.start(), out);
        labelled = cut.start();
        out.label(cut.label());
      }
      covered = Math.max(covered, cut.end());
    }
    cuts.subList(0, next).clear();
    plain(to, out);
    released = to;
    forget();
  }

  private void plain(int to, Output out) {
    int from = Math.max(released, covered);
    if (from < to) {
      out.text(text.substring(from - base, to - base), from);
    }
    released = Math.max(released, to);
  }

  /** Receives the text and the labels that are passed on. */
  interface Output {
    void text(String piece, int from);

    void label(String label);
  }

  /** Discards the text that no scanner needs any more. */
  private void forget() {
    int needed = released;
    for (Rule rule : rules) {
      needed = Math.min(needed, rule.open);
    }
    int most = Math.max(0, needed - TextScanner.LOOK_BEHIND - base);
    if (most > TextScanner.MAX_HELD / 8) {
      text.delete(0, most);
      base += most;
    }
  }
}
