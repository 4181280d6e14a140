package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks through one text. What is to go is replaced by labels until nothing is left that would have
 * to go: taking one thing out may make another one of its neighbours. A text with which that does
 * not end after {@value #ROUNDS} rounds is replaced as a whole. So the result of a redaction always
 * passes the same filter unchanged, and all of it takes time linear in the text.
 *
 * <p>A label in a text is never taken for something to take out. Immutable, safe on any thread.
 */
final class TextFilter {
  private static final int ROUNDS = 4;

  private final List<FilterRule> rules;
  private final Set<String> labels = new LinkedHashSet<>();

  TextFilter(List<FilterRule> rules) {
    this.rules = List.copyOf(rules);
    rules.forEach(rule -> labels.add(rule.label()));
  }

  /** A piece of a text and what it is replaced by. */
  private record Cut(Span span, String label) {}

  /**
   * @param user a user said it
   * @return the very same text when nothing of it has to go
   */
  String filtered(String text, boolean user, Findings findings) {
    List<Cut> cuts = look(text, user, findings);
    String result = text;
    for (int round = 1; !cuts.isEmpty(); round++) {
      if (round > ROUNDS) {
        return cuts.getFirst().label();
      }
      result = without(result, cuts);
      cuts = look(result, user, new Findings());
    }
    return result;
  }

  private List<Cut> look(String text, boolean user, Findings findings) {
    var cuts = new ArrayList<Cut>();
    List<Span> marked = null;
    for (FilterRule rule : rules) {
      if (rule.userOnly() && !user) {
        continue;
      }
      List<Span> found = rule.detector().in(text);
      if (found.isEmpty()) {
        continue;
      }
      marked = marked == null ? labelsIn(text) : marked;
      List<Span> counting = outside(marked, found);
      if (!counting.isEmpty()) {
        findings.add(rule, text);
      }
      if (rule.action() == Action.REDACT) {
        counting.forEach(span -> cuts.add(new Cut(span, rule.label())));
      }
    }
    return cuts;
  }

  private List<Span> labelsIn(String text) {
    var spans = new ArrayList<Span>();
    for (String label : labels) {
      for (int at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + label.length())) {
        spans.add(new Span(at, at + label.length()));
      }
    }
    spans.sort(Comparator.comparingInt(Span::start));
    return spans;
  }

  /** Those that do not lie in a label. Both are in order, but the latter may overlap. */
  private static List<Span> outside(List<Span> marked, List<Span> found) {
    if (marked.isEmpty()) {
      return found;
    }
    var left = new ArrayList<Span>();
    int first = 0;
    int reach = 0; // how far the labels reach that begin before the one looked at
    for (Span span : found) {
      while (first < marked.size() && marked.get(first).start() <= span.start()) {
        reach = Math.max(reach, marked.get(first).end());
        first++;
      }
      if (span.end() > reach) {
        left.add(span);
      }
    }
    return left;
  }

  /** Cuts that overlap become one, with the label of the one that begins first. */
  private static String without(String text, List<Cut> cuts) {
    cuts.sort(
        Comparator.<Cut>comparingInt(cut -> cut.span().start())
            .thenComparingInt(cut -> -cut.span().end()));
    var out = new StringBuilder(text.length());
    int done = 0;
    for (Cut cut : cuts) {
      Span span = cut.span();
      if (span.start() >= done) {
        out.append(text, done, span.start()).append(cut.label());
      }
      done = Math.max(done, span.end());
    }
    return out.append(text, done, text.length()).toString();
  }
}
