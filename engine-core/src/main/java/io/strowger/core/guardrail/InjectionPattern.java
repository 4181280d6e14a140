package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The patterns that find prompt injections by English phrases. A text that has none of a pattern's
 * keywords is not searched for that pattern; each keyword is one word, since any white space may be
 * between two. Injections in other words, in another language or encoded are not found, so a text
 * without a match may still be harmful.
 */
enum InjectionPattern {
  IGNORE_INSTRUCTIONS(
      "(?i)\\b(?:ignore|disregard|forget|override|bypass)\\s+(?:(?:all|any|every|of|the|your|my|these|those|and)\\s+){0,4}"
          + "(?:(?:previous|prior|above|earlier|preceding|existing|original|system|safety)\\s+){1,2}"
          + "(?:instructions?|prompts?|directions?|directives?|rules|guidelines|messages?|context|constraints)\\b",
      "ignore",
      "disregard",
      "forget",
      "override",
      "bypass"),
  REVEAL_PROMPT(
      "(?i)\\b(?:reveal|show|print|repeat|output|display|leak|tell\\s+me)\\s+(?:(?:me|us|back|out|all|of|the|your|verbatim)\\s+){0,4}"
          + "(?:(?:hidden|secret|initial|original|full|entire|exact)\\s+){0,2}"
          + "(?:system\\s+(?:prompt|message|instructions?)|hidden\\s+(?:prompt|instructions?)|initial\\s+(?:prompt|instructions?))\\b",
      "prompt",
      "instruction",
      "message"),
  NEW_ROLE(
      "(?i)\\b(?:you\\s+are\\s+now|from\\s+now\\s+on,?\\s+you\\s+are|pretend\\s+(?:to\\s+be|you\\s+are)|act\\s+as)\\s+"
          + "(?:(?:a|an|the|in|my|completely|fully)\\s+){0,3}"
          + "(?:dan|unrestricted|unfiltered|uncensored|jailbroken|evil|do\\s+anything\\s+now|developer\\s+mode|god\\s+mode)\\b",
      "dan",
      "unrestricted",
      "unfiltered",
      "uncensored",
      "jailbroken",
      "evil",
      "anything",
      "developer",
      "god"),
  NO_RESTRICTIONS(
      "(?i)\\b(?:without|no|free\\s+of|remove|disable)\\s+(?:(?:any|all|your|the|of)\\s+){0,3}"
          + "(?:(?:ethical|moral|safety|content)\\s+){1,2}(?:restrictions?|guidelines|limits|limitations|filters?|constraints)\\b",
      "ethical",
      "moral",
      "safety",
      "content"),
  JAILBREAK(
      "(?i)\\b(?:jailbreak(?:ed|ing)?\\s+(?:mode|prompt|yourself)|do\\s+anything\\s+now|developer\\s+mode\\s+(?:enabled|on))\\b",
      "jailbreak",
      "anything",
      "developer"),
  FAKE_TURN(
      "(?i)(?:<\\|(?:im_start|system|start_header_id)\\|>|\\[/?(?:system|inst)\\]|</?system(?:[_-]?(?:prompt|message))?>)",
      "<|",
      "inst]",
      "system");

  @SuppressWarnings("ImmutableEnumChecker") // a compiled pattern keeps nothing of the texts
  private final FilterPattern pattern;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> keywords;

  InjectionPattern(String pattern, String... keywords) {
    this.pattern = FilterPattern.trusted(pattern);
    this.keywords = List.of(keywords);
  }

  String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Finds the matches of all patterns. */
  static final class AnyPattern implements Detector {
    @Override
    public List<TextScanner> scanners() {
      return Stream.of(values())
          .flatMap(injection -> injection.pattern.scanners().stream())
          .toList();
    }

    @Override
    public void findAll(TextMatches matches) {
      var spans = new ArrayList<TextSpan>();
      String lowerCase = matches.text().toLowerCase(Locale.ROOT);
      for (InjectionPattern injection : values()) {
        spans.addAll(injection.find(matches.text(), lowerCase, matches.scan()));
      }
      spans.sort(Comparator.comparingInt(TextSpan::start));
      matches.addAll(spans);
    }
  }

  /** Returns the names of the patterns that match in a text. */
  static Set<String> namesIn(String text, CooperativeScan scan) {
    var names = new LinkedHashSet<String>();
    String lowerCase = text.toLowerCase(Locale.ROOT);
    for (InjectionPattern injection : values()) {
      if (!injection.find(text, lowerCase, scan).isEmpty()) {
        names.add(injection.wireName());
      }
    }
    return names;
  }

  private List<TextSpan> find(String text, String lowerCase, CooperativeScan scan) {
    return keywords.stream().anyMatch(lowerCase::contains) ? pattern.find(text, scan) : List.of();
  }
}
