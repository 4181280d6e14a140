package io.strowger.core.guardrail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A pattern of an account")
class FilterPatternTest {
  @Proves("resources.guardrail.patterns")
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiterString = " => ",
      value = {
        "(?=x)y => without lookaround",
        "a(?!b) => without lookaround",
        "(?<=a)b => without lookaround",
        "(?<!a)b => without lookaround",
        "(a)\\1 => without backreferences",
        "(?P<n>a)(?P=n) => without backreferences",
        "(?<n>a)\\k<n> => without backreferences",
        "(a+)+ => without nested quantifiers",
        "(a*)* => without nested quantifiers",
        "((a+)b)* => without nested quantifiers",
        "(?:x|a+){2,} => without nested quantifiers",
        "(a{3,})+ => without nested quantifiers",
        "a** => without nested quantifiers",
        "((a{100}){100}){100} => with less repetition: it expands to more than 10000 characters",
        "a{1001} => without repetition counts above 1000",
      })
  @DisplayName("is refused for an unsupported construct, which the error names")
  void unsupported(String pattern, String construct) {
    assertThat(FilterPattern.problem(pattern))
        .isEqualTo("must be a pattern " + construct + " (invalid_regex_pattern)");
    assertThatThrownBy(() -> FilterPattern.of(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(construct);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "a)", "[a", "a|*", "*", "\\", "(?<n", "\\pX", "(?>a)", "a{5,2}"})
  @DisplayName("is refused when it is no regular expression")
  void malformed(String pattern) {
    assertThat(FilterPattern.problem(pattern))
        .startsWith("must be a regular expression: ")
        .endsWith(" (invalid_regex_pattern)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?:[0-9]{1,3}\\.){3}[0-9]{1,3}",
        "\\bsk-[A-Za-z0-9]{20,}\\b",
        "(?i)(?:project|codename)\\s+\\w+",
        "[*+?(){}]+",
        "[]a]+",
        "[[:alpha:]*]+x",
        "\\Q(a+)+\\E",
        "\\(a+\\)+",
        "(a+)?(b+){2}",
        "a{,5}",
        "a{2,",
        "\\p{Greek}+\\x{1F600}*",
        "(?<year>[0-9]{4})",
      })
  @DisplayName("may have everything else")
  void supported(String pattern) {
    assertThat(FilterPattern.problem(pattern)).isNull();
  }

  @Tag("full")
  @Proves("resources.guardrail.patterns")
  @Test
  @DisplayName("has 1 to 100,000 characters")
  void length() {
    assertThat(FilterPattern.problem("a".repeat(100_000))).isNull();
    assertThat(FilterPattern.problem("a".repeat(100_001))).contains("1 to 100000 characters");
    assertThat(FilterPattern.problem("")).contains("1 to 100000 characters");
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"(", "[", "{", "\\p{", "[[:", "(?:", "|", "a?", "a{1,9}", "\\Q"})
  @DisplayName("is checked in bounded time, whatever its length and its content")
  void checkedInTime(String repeated) {
    String pattern = repeated.repeat(100_000 / repeated.length());
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(2), () -> FilterPattern.problem(pattern));
  }

  @Test
  @DisplayName("finds every match, with regard to the text around it")
  void matches() {
    assertThat(FilterPattern.of("\\bab\\b|^x").find("ab xab ab x"))
        .containsExactly(new TextSpan(0, 2), new TextSpan(7, 9));
    assertThat(FilterPattern.of("(?i)é+").find("aÉéb😀é"))
        .containsExactly(new TextSpan(1, 3), new TextSpan(6, 7));
  }

  @Test
  @DisplayName("has no empty matches")
  void empty() {
    assertThat(FilterPattern.of("a*").find("baab😀a"))
        .containsExactly(new TextSpan(1, 3), new TextSpan(6, 7));
    assertThat(FilterPattern.of("b*").find("😀😀")).isEmpty();
  }

  @Test
  @DisplayName(
      "that looks far ahead from every position is searched in bounded time, and the text left"
          + " unsearched counts as a match")
  void farAhead() {
    String text = "ab".repeat(100_000);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          var found = FilterPattern.of("a.*z|a").find(text);
          assertThat(found.getFirst()).isEqualTo(new TextSpan(0, 1));
          assertThat(found.getLast().end()).isEqualTo(text.length());
        });
  }
}
