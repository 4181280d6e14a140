package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Filters one text. Matches are replaced by labels until none is left, since a replacement can turn
 * the text around it into another match. A text that still has a match after {@value #ROUNDS}
 * rounds is replaced as a whole. The result of a redaction therefore always passes the same filter
 * unchanged, and the time is linear in the length of the text.
 *
 * <p>A label in a text never counts as a match. Immutable and thread-safe.
 */
final class TextFilter {
  private static final int ROUNDS = 4;

  /**
   * The most labels to look for in a text. It is more than redaction inserts, and bounds the memory
   * for a text that consists of labels.
   */
  private static final int MAX_LABELS = 8 * TextMatches.MAX_MATCHES;

  private final List<FilterRule> rules;
  private final Set<String> labels = new LinkedHashSet<>();

  TextFilter(List<FilterRule> rules) {
    this.rules = List.copyOf(rules);
    rules.forEach(rule -> labels.add(rule.label()));
  }

  /** A match and the label that replaces it. */
  private record Cut(TextSpan span, String label) {}

  /**
   * Filters one text.
   *
   * @param user whether the text is from a message of a user
   * @return the filtered text; the same object when nothing is redacted
   */
  String filtered(String text, boolean user, Findings findings, CooperativeScan scan) {
    List<Cut> cuts = look(text, user, findings, scan);
    String result = text;
    for (int round = 1; !cuts.isEmpty(); round++) {
      if (round > ROUNDS) {
        return cuts.getFirst().label();
      }
      result = without(List.of(result), cuts).getFirst();
      cuts = look(result, user, new Findings(), scan);
    }
    return result;
  }

  /**
   * Filters adjacent texts, which a model reads as one.
   *
   * @return the same list when nothing is redacted; otherwise as many texts, or a single label that
   *     replaces them all
   */
  List<String> filtered(List<String> texts, boolean user, Findings findings, CooperativeScan scan) {
    List<Cut> cuts = look(String.join("", texts), user, findings, scan);
    List<String> result = texts;
    for (int round = 1; !cuts.isEmpty(); round++) {
      if (round > ROUNDS) {
        return List.of(cuts.getFirst().label());
      }
      result = without(result, cuts);
      cuts = look(String.join("", result), user, new Findings(), scan);
    }
    return result;
  }

  private List<Cut> look(String text, boolean user, Findings findings, CooperativeScan scan) {
    var cuts = new ArrayList<Cut>();
    List<TextSpan> marked = null;
    for (FilterRule rule : rules) {
      if (rule.userOnly() && !user) {
        continue;
      }
      List<TextSpan> found = rule.detector().find(text, scan);
      if (found.isEmpty()) {
        continue;
      }
      marked = marked == null ? labelsIn(text) : marked;
      List<TextSpan> counting = outside(marked, found);
      if (!counting.isEmpty()) {
        findings.add(rule, text, scan);
      }
      if (rule.action() == FilterAction.REDACT) {
        counting.forEach(textSpan -> cuts.add(new Cut(textSpan, rule.label())));
      }
    }
    return cuts;
  }

  private List<TextSpan> labelsIn(String text) {
    var spans = new ArrayList<TextSpan>();
    for (String label : labels) {
      for (int at = text.indexOf(label);
          at >= 0 && spans.size() < MAX_LABELS;
          at = text.indexOf(label, at + label.length())) {
        spans.add(new TextSpan(at, at + label.length()));
      }
    }
    spans.sort(Comparator.comparingInt(TextSpan::start));
    return spans;
  }

  /** Returns the matches outside labels. Both lists are ordered by start; matches may overlap. */
  private static List<TextSpan> outside(List<TextSpan> marked, List<TextSpan> found) {
    if (marked.isEmpty()) {
      return found;
    }
    var left = new ArrayList<TextSpan>();
    int first = 0;
    int reach = 0; // the end of the labels that begin no later than the match
    for (TextSpan textSpan : found) {
      while (first < marked.size() && marked.get(first).start() <= textSpan.start()) {
        reach = Math.max(reach, marked.get(first).end());
        first++;
      }
      if (textSpan.end() > reach) {
        left.add(textSpan);
      }
    }
    return left;
  }

  /**
   * Returns the texts with matches replaced. A match that spans several texts is replaced in each
   * of them.
   */
  private static List<String> without(List<String> texts, List<Cut> cuts) {
    List<Cut> apart = merged(cuts);
    var out = new ArrayList<String>(texts.size());
    int next = 0;
    int from = 0;
    for (String text : texts) {
      int to = from + text.length();
      var left = new StringBuilder(text.length());
      int done = from;
      boolean goesOn = false;
      while (!goesOn && next < apart.size() && apart.get(next).span().start() < to) {
        TextSpan textSpan = apart.get(next).span();
        left.append(text, done - from, Math.max(textSpan.start(), from) - from);
        left.append(apart.get(next).label());
        done = Math.min(textSpan.end(), to);
        goesOn = textSpan.end() > to;
        next += goesOn ? 0 : 1;
      }
      out.add(left.append(text, done - from, text.length()).toString());
      from = to;
    }
    return out;
  }

  /**
   * Sorts replacements and merges those that overlap; the label of the one that begins first is
   * used.
   */
  private static List<Cut> merged(List<Cut> cuts) {
    cuts.sort(
        Comparator.<Cut>comparingInt(cut -> cut.span().start())
            .thenComparingInt(cut -> -cut.span().end()));
    var apart = new ArrayList<Cut>(cuts.size());
    for (Cut cut : cuts) {
      Cut last = apart.isEmpty() ? null : apart.getLast();
      if (last == null || cut.span().start() >= last.span().end()) {
        apart.add(cut);
      } else if (cut.span().end() > last.span().end()) {
        var both = new TextSpan(last.span().start(), cut.span().end());
        apart.set(apart.size() - 1, new Cut(both, last.label()));
      }
    }
    return apart;
  }
}
