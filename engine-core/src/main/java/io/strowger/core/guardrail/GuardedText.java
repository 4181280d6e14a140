package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One text of an answer while it grows: says how much of it may be given on, and what. What may
 * still become something to take out stays back, {@value TextScanner#MAX_HELD} characters at most;
 * nothing else does. What was found is replaced once: unlike in a request, what the labels make of
 * their neighbours is not looked at again, since that was said before. Places count from the
 * beginning of the text. For one thread.
 */
final class GuardedText {
  /** Of a character that does not let a label stand in its place. */
  interface Spaces {
    /** Whether all these characters can be replaced by a label. */
    boolean isReplaceable(int start, int end);
  }

  private final List<Rule> rules;
  private final Findings findings;
  private final Spaces spaces;
  private final StringBuilder text = new StringBuilder(); // from base on
  private final List<Cut> cuts = new ArrayList<>(); // that begin at or behind released
  private int base;
  private int released;
  private int labelled; // where the last label stands
  private int covered; // what it stands for reaches to here
  private int decided;
  private int blocked = -1; // where what blocks begins

  /** Something to take out. */
  private record Cut(int start, int end, String label) {}

  /** A rule and what follows the text for it. */
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

  GuardedText(List<FilterRule> rules, Findings findings, Spaces spaces) {
    this.rules = rules.stream().map(rule -> new Rule(rule, rule.detector().scanners())).toList();
    this.findings = findings;
    this.spaces = spaces;
  }

  /** Where the text ends so far. */
  int length() {
    return base + text.length();
  }

  /** How much of it has been given on. */
  int released() {
    return released;
  }

  /** How much of it may be given on by {@link #release}. */
  int decided() {
    return decided;
  }

  /** Whether half of a pair of surrogates stands before a place and the other half behind it. */
  boolean isInsidePair(int place) {
    int at = place - base;
    return at > 0
        && at < text.length()
        && Character.isSurrogatePair(text.charAt(at - 1), text.charAt(at));
  }

  /** Whether nothing more may be given on than is decided. */
  boolean isBlocked() {
    return blocked >= 0;
  }

  /** More of the text. */
  void append(String more) {
    text.append(more);
    look(false, rules);
    forget();
  }

  /**
   * Something else comes: what is there is judged as if nothing followed. If more follows all the
   * same, what begins here is still found, and blocks, since its beginning was given on. Rules that
   * only flag hold nothing back and are not asked: they judge the text as it goes on.
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

  /** Nothing follows any more. */
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

  /** Takes what the scanner of one rule finds. */
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
            covered = Math.max(covered, end); // a label stands for its beginning already
          } else if (start < released || !spaces.isReplaceable(start, end)) {
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
    findings.stop(rule);
    blocked = isBlocked() ? Math.min(blocked, start) : start;
  }

  /**
   * Gives on the text up to a place, with labels for what was found.
   *
   * @param to at most {@link #decided}
   * @param out gets places of the text, and labels
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

  /** Where what is given on is written to. */
  interface Output {
    void text(String piece, int from);

    void label(String label);
  }

  /** Lets go what nobody looks at any more. */
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
