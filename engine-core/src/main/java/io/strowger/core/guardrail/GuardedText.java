package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One text of an answer while it grows. Decides how much of it may be passed on: only text that may
 * still become a match is held back, at most {@value TextScanner#MAX_UNDECIDED_CHARS} characters.
 * Matches are replaced once. Unlike in a request, the text is not scanned again with its labels,
 * since the text around them may already have been passed on. Offsets count from the beginning of
 * the text. Confined to one thread.
 */
final class GuardedText {
  /** Decides which characters a label may replace. */
  interface ReplaceableRanges {
    /** Returns whether a label can replace all characters of a range. */
    boolean isReplaceable(int start, int end);
  }

  private final List<RuleScan> rules;
  private final Findings findings;
  private final ReplaceableRanges replaceableRanges;
  private final StringBuilder text = new StringBuilder(); // the text from the base offset on
  private final List<Replacement> replacements =
      new ArrayList<>(); // those that begin at or after the released end
  private int baseOffset;
  private int releasedEnd;
  private int lastMatchStart; // start of the match that the last label replaced
  private int lastMatchEnd; // end of that match
  private int decidedEnd;
  private int blockStart = -1; // start of the blocking match; -1 for none

  /** A match to replace by a label. */
  private record Replacement(int start, int end, String label) {}

  /** A rule and its scanners of the text. */
  private static final class RuleScan {
    private final FilterRule rule;
    private final List<TextScanner> scanners;
    private int undecidedStart;

    RuleScan(FilterRule rule, List<TextScanner> scanners) {
      this.rule = rule;
      this.scanners = scanners;
    }

    RuleScan copy() {
      return new RuleScan(rule, scanners.stream().map(TextScanner::copy).toList());
    }

    boolean enforces() {
      return rule.enforces();
    }
  }

  GuardedText(List<FilterRule> rules, Findings findings, ReplaceableRanges replaceableRanges) {
    this.rules =
        rules.stream().map(rule -> new RuleScan(rule, rule.detector().scanners())).toList();
    this.findings = findings;
    this.replaceableRanges = replaceableRanges;
  }

  /** Returns the length of the text so far. */
  int length() {
    return baseOffset + text.length();
  }

  /** Returns the length that has been passed on. */
  int releasedLength() {
    return releasedEnd;
  }

  /** Returns the length that {@link #release} may pass on. */
  int decidedLength() {
    return decidedEnd;
  }

  /** Returns whether an offset lies between the two halves of a surrogate pair. */
  boolean isInsidePair(int offset) {
    int index = offset - baseOffset;
    return index > 0
        && index < text.length()
        && Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
  }

  /** Returns whether the text is blocked, so that only the decided text may be passed on. */
  boolean isBlocked() {
    return blockStart >= 0;
  }

  /** Appends text and scans it. */
  void append(String added) {
    text.append(added);
    scan(false, rules);
    discardText();
  }

  /**
   * Decides all of the text so far, because other content follows it. If the text continues later,
   * a match that began before the pause is still found and blocks the answer, since its beginning
   * was passed on. Rules that only flag hold nothing back, so they are not run here and scan the
   * text as it continues.
   */
  void pause() {
    if (decidedEnd == length()) {
      return;
    }
    var copies = new ArrayList<RuleScan>(rules.size());
    for (RuleScan rule : rules) {
      if (rule.enforces()) {
        copies.add(rule.copy());
      }
    }
    scan(true, copies);
  }

  /** Ends the text and decides all of it. */
  void end() {
    scan(true, rules);
  }

  private void scan(boolean isEnd, List<RuleScan> scans) {
    var window = new TextWindow(baseOffset, text.toString(), isEnd);
    int undecided = window.end();
    for (RuleScan rule : scans) {
      rule.undecidedStart = window.end();
      for (TextScanner scanner : rule.scanners) {
        rule.undecidedStart =
            Math.min(rule.undecidedStart, scanner.scan(window, new MatchRecorder(rule.rule)));
      }
      if (rule.enforces()) {
        undecided = Math.min(undecided, rule.undecidedStart);
      }
    }
    if (isBlocked()) {
      undecided = Math.min(undecided, blockStart);
    }
    if (!isEnd
        && undecided > releasedEnd
        && Character.isHighSurrogate(window.charAt(undecided - 1))) {
      undecided--;
    }
    decidedEnd = Math.max(decidedEnd, undecided);
  }

  /** Receives the matches of one rule. */
  private final class MatchRecorder implements TextScanner.MatchListener {
    private final FilterRule rule;

    MatchRecorder(FilterRule rule) {
      this.rule = rule;
    }

    @Override
    public void onMatch(int start, int end) {
      findings.add(
          rule, text.substring(start - baseOffset, end - baseOffset), new CooperativeScan());
      switch (rule.action()) {
        case FLAG -> {}
        case BLOCK -> block(rule, start);
        case REDACT -> {
          if (start >= lastMatchStart && start < lastMatchEnd) {
            // a label has already replaced the beginning of this match
            lastMatchEnd = Math.max(lastMatchEnd, end);
          } else if (start < releasedEnd || !replaceableRanges.isReplaceable(start, end)) {
            block(rule, start);
          } else {
            replacements.add(new Replacement(start, end, rule.label()));
          }
        }
      }
    }

    @Override
    public void onTooLong(int start) {
      findings.add(rule, "", new CooperativeScan());
      if (rule.enforces()) {
        block(rule, start);
      }
    }
  }

  private void block(FilterRule rule, int start) {
    findings.addBlocking(rule);
    blockStart = isBlocked() ? Math.min(blockStart, start) : start;
  }

  /**
   * Passes on the text up to an offset, with matches replaced by labels.
   *
   * @param to the offset to end at; at most {@link #decidedEnd}
   * @param out receives the text and the labels
   */
  void release(int to, Output out) {
    replacements.sort(
        Comparator.comparingInt(Replacement::start)
            .thenComparingInt(replacement -> -replacement.end()));
    int index = 0;
    while (index < replacements.size() && replacements.get(index).start() < to) {
      Replacement replacement = replacements.get(index++);
      if (replacement.start() >= lastMatchEnd) {
        releasePlain(replacement.start(), out);
        lastMatchStart = replacement.start();
        out.label(replacement.label());
      }
      lastMatchEnd = Math.max(lastMatchEnd, replacement.end());
    }
    replacements.subList(0, index).clear();
    releasePlain(to, out);
    releasedEnd = to;
    discardText();
  }

  private void releasePlain(int to, Output out) {
    int from = Math.max(releasedEnd, lastMatchEnd);
    if (from < to) {
      out.text(text.substring(from - baseOffset, to - baseOffset), from);
    }
    releasedEnd = Math.max(releasedEnd, to);
  }

  /** Receives the text and the labels that are passed on. */
  interface Output {
    void text(String piece, int from);

    void label(String label);
  }

  /** Discards the text that no scanner needs any more. */
  private void discardText() {
    int neededFrom = releasedEnd;
    for (RuleScan rule : rules) {
      neededFrom = Math.min(neededFrom, rule.undecidedStart);
    }
    int count = Math.max(0, neededFrom - TextScanner.LOOK_BEHIND_CHARS - baseOffset);
    if (count > TextScanner.MAX_UNDECIDED_CHARS / 8) {
      text.delete(0, count);
      baseOffset += count;
    }
  }
}
