package io.strowger.core.guardrail;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Tests that a text which arrives in fragments is filtered like the whole text, however it is
 * split.
 */
class GuardedTextProperties {
  private static final List<String> PIECES =
      List.of(
          "a@b.co",
          "joe",
          "@",
          "example.com",
          "4111111111111111",
          "4111-1111",
          " 1111 ",
          "1111",
          "123-45-6789",
          "123-45",
          "-6789",
          "10.0.0.1",
          ":",
          "::1",
          "fe80::",
          "+1 212 555 0123",
          "+",
          "212",
          "555",
          "0123",
          "-",
          ".",
          "(",
          ")",
          " ",
          "\n",
          "Mr. ",
          "John",
          "Smith",
          "my name is ",
          "12 Main Street",
          "P.O. Box 5",
          "😀",
          "\uD83D",
          "\uDE00",
          "é",
          "ſ",
          "ignore all previous instructions",
          "ignore all ",
          "previous ",
          "rules",
          "<|system|>",
          "[EMAIL]",
          "x",
          "xx",
          "abcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabc",
          "begin",
          "end",
          "BEGIN",
          "K");

  static final List<String> PATTERNS =
      List.of(
          "x+",
          "[A-Z]+",
          "\\w+@",
          "^.",
          "$",
          ".$",
          "(?s).{3,}",
          "\\b[a-z]+\\b",
          "joe|a",
          "[^a]",
          "\\s+",
          "a.*z|a",
          "begin.*?end",
          "(?i)begin.*end",
          "(?s)begin.*?end",
          "(?i)k+",
          "(?m)^[a-z]+$",
          "\\Bx",
          "x\\B",
          "x{2,3}",
          "x{2,3}?",
          "(?:ab|a)(?:bc|c)?",
          "(?U)x+",
          "\\p{Lu}\\p{L}*",
          "[[:alpha:]]+[0-9]",
          "[^\\d\\s]{4}",
          "\\Qa@b\\E+",
          "(a|b)*c",
          "(?:x?){3}",
          "x*",
          "x*?",
          "(?:x|xx)+1",
          ".",
          "\\x{1F600}",
          "(?i:j)OE|joe",
          "\\A.",
          ".\\z",
          "(1|11|111)-",
          "(?:|a)+",
          "(?:a|b|)*x",
          "a??b",
          "\\D\\d{1,4}\\D");

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(PIECES).list().ofMaxSize(14).map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<List<Integer>> sizes() {
    return Arbitraries.integers().between(1, 9).list().ofMinSize(1).ofMaxSize(8);
  }

  @Provide
  Arbitrary<List<FilterRule>> rules() {
    Arbitrary<FilterRule> builtins =
        Arbitraries.of(BuiltinFilter.values())
            .map(one -> FilterRule.of(one, FilterAction.REDACT, false));
    Arbitrary<FilterRule> patterns =
        Arbitraries.of(PATTERNS).map(one -> FilterRule.of(one, FilterAction.REDACT, null));
    return Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(2, builtins), net.jqwik.api.Tuple.of(1, patterns))
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  @Provide
  Arbitrary<String> patterns() {
    Arbitrary<String> atoms =
        Arbitraries.of(
            "a",
            "b",
            "é",
            ".",
            "[ab]",
            "[^a]",
            "\\w",
            "\\b",
            "\\B",
            "^",
            "$",
            "(?:ab)",
            "(a|b)",
            "(?:a|ab|)",
            "(?i)a",
            "\\s",
            "(?m)$",
            "(?:)");
    Arbitrary<String> repeats =
        Arbitraries.of("", "", "", "?", "??", "*", "*?", "+", "+?", "{2}", "{1,2}", "{0,2}?");
    Arbitrary<String> sequence =
        Combinators.combine(atoms, repeats)
            .as((atom, repeat) -> atom + repeat)
            .list()
            .ofMinSize(1)
            .ofMaxSize(4)
            .map(list -> String.join("", list));
    return sequence
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(list -> String.join("|", list))
        .filter(pattern -> FilterPattern.problem(pattern) == null);
  }

  private static List<String> split(String text, List<Integer> sizes) {
    var events = new ArrayList<String>();
    int at = 0;
    for (int i = 0; at < text.length(); i++) {
      int to = Math.min(text.length(), at + sizes.get(i % sizes.size()));
      events.add(text.substring(at, to));
      at = to;
    }
    return events;
  }

  private static List<TextSpan> findInWholeText(FilterRule rule, String text) {
    return rule.detector().find(text);
  }

  /** Returns the redacted text, as the scan of the whole text gives it. */
  private static String filterWholeText(List<FilterRule> rules, String text) {
    record Cut(TextSpan span, String label) {}
    var cuts = new ArrayList<Cut>();
    for (FilterRule rule : rules) {
      findInWholeText(rule, text).forEach(textSpan -> cuts.add(new Cut(textSpan, rule.label())));
    }
    cuts.sort(
        Comparator.<Cut>comparingInt(cut -> cut.span().start())
            .thenComparingInt(cut -> -cut.span().end()));
    var out = new StringBuilder();
    int done = 0;
    for (Cut cut : cuts) {
      if (cut.span().start() >= done) {
        out.append(text, done, cut.span().start()).append(cut.label());
      }
      done = Math.max(done, cut.span().end());
    }
    return out.append(text.substring(Math.min(done, text.length()))).toString();
  }

  /** Collects the released text, and the positions of the fragments of the original text in it. */
  static final class ReleasedText implements GuardedText.Output {
    final StringBuilder all = new StringBuilder();
    final List<TextSpan> plain = new ArrayList<>();

    @Override
    public void text(String fragment, int from) {
      all.append(fragment);
      plain.add(new TextSpan(from, from + fragment.length()));
    }

    @Override
    public void label(String label) {
      all.append(label);
    }
  }

  static ReleasedText filterInFragments(List<FilterRule> rules, List<String> events) {
    var guard = new GuardedText(rules, new Findings(), (start, end) -> true);
    var out = new ReleasedText();
    for (String event : events) {
      guard.append(event);
      guard.release(guard.decidedLength(), out);
      assertThat(guard.length() - guard.releasedLength())
          .isLessThanOrEqualTo(TextScanner.MAX_UNDECIDED_CHARS + 1);
    }
    guard.end();
    guard.release(guard.decidedLength(), out);
    assertThat(guard.isBlocked()).isFalse();
    assertThat(guard.releasedLength()).isEqualTo(guard.length());
    return out;
  }

  @Property(tries = 3000)
  @Label("a guarded text releases what the filter of the whole text does, for every split")
  void sameAsWhole(
      @ForAll("rules") List<FilterRule> rules,
      @ForAll("texts") String text,
      @ForAll("sizes") List<Integer> sizes) {
    ReleasedText out = filterInFragments(rules, split(text, sizes));

    assertThat(out.all.toString()).isEqualTo(filterWholeText(rules, text));
    for (FilterRule rule : rules) {
      for (TextSpan found : findInWholeText(rule, text)) {
        assertThat(out.plain)
            .noneMatch(
                fragment -> fragment.start() < found.end() && found.start() < fragment.end());
      }
    }
  }

  @Property(tries = 6000)
  @Label("a pattern finds the same in a growing text as in the whole text")
  void sameSpans(
      @ForAll("patterns") String pattern,
      @ForAll("letters") String text,
      @ForAll("sizes") List<Integer> sizes) {
    var rule = FilterRule.of(pattern, FilterAction.REDACT, null);
    var found = new ArrayList<TextSpan>();
    TextScanner scanner = rule.detector().scanners().getFirst();
    var sink =
        new TextScanner.MatchListener() {
          @Override
          public void onMatch(int start, int end) {
            found.add(new TextSpan(start, end));
          }

          @Override
          public void onTooLong(int start) {
            throw new AssertionError("too long from " + start);
          }
        };
    int at = 0;
    int open = 0;
    for (String event : split(text, sizes)) {
      at += event.length();
      open = scanner.scan(new TextWindow(0, text.substring(0, at), false), sink);
      int firstOpen = open;
      assertThat(found)
          .allMatch(textSpan -> textSpan.start() < firstOpen || textSpan.start() == firstOpen);
    }
    scanner.scan(new TextWindow(0, text, true), sink);

    assertThat(found).isEqualTo(findInWholeText(rule, text));
  }

  @Provide
  Arbitrary<String> letters() {
    return Arbitraries.of("a", "b", "A", " ", "\n", "é", "😀", "_", "ab")
        .list()
        .ofMaxSize(12)
        .map(list -> String.join("", list));
  }

  @Property(tries = 500)
  @Label("a character class has the same characters as in the library")
  void atoms(@ForAll("texts") String text) {
    var set = new CharacterSet.Sets().of("\\p{Ll}", "i");
    text.codePoints()
        .forEach(
            c ->
                assertThat(set.has(c))
                    .isEqualTo(Pattern.matches("(?i:\\p{Ll})", Character.toString(c))));
  }
}
