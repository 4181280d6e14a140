package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Filters one text. Matches are replaced by labels until none is left, since a replacement can turn
 * the text around it into another match. A text that still has a match after {@value #MAX_ROUNDS}
 * rounds is replaced as a whole. The result of a redaction therefore always passes the same filter
 * unchanged, and the time is linear in the length of the text.
 *
 * <p>A label in a text never counts as a match. Immutable and thread-safe.
 */
final class TextFilter {
  private static final int MAX_ROUNDS = 4;

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
  private record Replacement(TextSpan span, String label) {}

  /**
   * Filters one text.
   *
   * @param isUserText whether the text is from a message of a user
   * @return the filtered text; the same object when nothing is redacted
   */
  String filter(String text, boolean isUserText, Findings findings, CooperativeScan scan) {
    List<Replacement> replacements = findReplacements(text, isUserText, findings, scan);
    String result = text;
    for (int round = 1; !replacements.isEmpty(); round++) {
      if (round > MAX_ROUNDS) {
        return replacements.getFirst().label();
      }
      result = replace(List.of(result), replacements).getFirst();
      replacements = findReplacements(result, isUserText, new Findings(), scan);
    }
    return result;
  }

  /**
   * Filters adjacent texts, which a model reads as one.
   *
   * @return the same list when nothing is redacted; otherwise as many texts, or a single label that
   *     replaces them all
   */
  List<String> filter(
      List<String> texts, boolean isUserText, Findings findings, CooperativeScan scan) {
    List<Replacement> replacements =
        findReplacements(String.join("", texts), isUserText, findings, scan);
    List<String> result = texts;
    for (int round = 1; !replacements.isEmpty(); round++) {
      if (round > MAX_ROUNDS) {
        return List.of(replacements.getFirst().label());
      }
      result = replace(result, replacements);
      replacements = findReplacements(String.join("", result), isUserText, new Findings(), scan);
    }
    return result;
  }

  private List<Replacement> findReplacements(
      String text, boolean isUserText, Findings findings, CooperativeScan scan) {
    var replacements = new ArrayList<Replacement>();
    List<TextSpan> labelSpans = null;
    for (FilterRule rule : rules) {
      if (rule.isUserOnly() && !isUserText) {
        continue;
      }
      List<TextSpan> spans = rule.detector().find(text, scan);
      if (spans.isEmpty()) {
        continue;
      }
      labelSpans = labelSpans == null ? labelSpans(text) : labelSpans;
      List<TextSpan> matches = outsideLabels(labelSpans, spans);
      if (!matches.isEmpty()) {
        findings.add(rule, text, scan);
      }
      if (rule.action() == FilterAction.REDACT) {
        matches.forEach(span -> replacements.add(new Replacement(span, rule.label())));
      }
    }
    return replacements;
  }

  private List<TextSpan> labelSpans(String text) {
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
  private static List<TextSpan> outsideLabels(List<TextSpan> labelSpans, List<TextSpan> matches) {
    if (labelSpans.isEmpty()) {
      return matches;
    }
    var remaining = new ArrayList<TextSpan>();
    int index = 0;
    int labelEnd = 0; // the end of the labels that begin no later than the match
    for (TextSpan match : matches) {
      while (index < labelSpans.size() && labelSpans.get(index).start() <= match.start()) {
        labelEnd = Math.max(labelEnd, labelSpans.get(index).end());
        index++;
      }
      if (match.end() > labelEnd) {
        remaining.add(match);
      }
    }
    return remaining;
  }

  /**
   * Returns the texts with matches replaced. A match that spans several texts is replaced in each
   * of them.
   */
  private static List<String> replace(List<String> texts, List<Replacement> replacements) {
    List<Replacement> disjoint = merge(replacements);
    var out = new ArrayList<String>(texts.size());
    int index = 0;
    int from = 0;
    for (String text : texts) {
      int textEnd = from + text.length();
      var filtered = new StringBuilder(text.length());
      int copiedTo = from;
      boolean continues = false;
      while (!continues
          && index < disjoint.size()
          && disjoint.get(index).span().start() < textEnd) {
        TextSpan span = disjoint.get(index).span();
        filtered.append(text, copiedTo - from, Math.max(span.start(), from) - from);
        filtered.append(disjoint.get(index).label());
        copiedTo = Math.min(span.end(), textEnd);
        continues = span.end() > textEnd;
        index += continues ? 0 : 1;
      }
      out.add(filtered.append(text, copiedTo - from, text.length()).toString());
      from = textEnd;
    }
    return out;
  }

  /**
   * Sorts replacements and merges those that overlap; the label of the one that begins first is
   * used.
   */
  private static List<Replacement> merge(List<Replacement> replacements) {
    replacements.sort(
        Comparator.<Replacement>comparingInt(replacement -> replacement.span().start())
            .thenComparingInt(replacement -> -replacement.span().end()));
    var disjoint = new ArrayList<Replacement>(replacements.size());
    for (Replacement replacement : replacements) {
      Replacement last = disjoint.isEmpty() ? null : disjoint.getLast();
      if (last == null || replacement.span().start() >= last.span().end()) {
        disjoint.add(replacement);
      } else if (replacement.span().end() > last.span().end()) {
        var union = new TextSpan(last.span().start(), replacement.span().end());
        disjoint.set(disjoint.size() - 1, new Replacement(union, last.label()));
      }
    }
    return disjoint;
  }
}
