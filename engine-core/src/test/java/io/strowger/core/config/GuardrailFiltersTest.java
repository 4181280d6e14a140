package io.strowger.core.config;

import static io.strowger.core.config.TestConfigs.accept;
import static io.strowger.core.config.TestConfigs.minimal;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The content filters of a guardrail in the configuration file")
class GuardrailFiltersTest {
  private static Json.Obj file(String pattern) {
    return minimal(
        "'account': {'guardrails': [{'name': 'g', 'content_filters':"
            + " [{'pattern': 'x', 'action': 'flag'}, {'pattern': '"
            + pattern
            + "', 'action': 'block'}]}]}");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiterString = " => ",
      value = {
        "(?=a)b => must be a pattern without lookaround (invalid_regex_pattern)",
        "(a)\\\\1 => must be a pattern without backreferences (invalid_regex_pattern)",
        "(a+)+ => must be a pattern without nested quantifiers (invalid_regex_pattern)",
        "a( => must be a regular expression: missing closing ) (invalid_regex_pattern)",
      })
  @DisplayName("are refused with the pointer to a pattern that cannot be used")
  void refused(String pattern, String problem) {
    assertThat(TestConfigs.problems(file(pattern)))
        .singleElement()
        .asString()
        .startsWith("/account/guardrails/0/content_filters/1/pattern: " + problem + ", was ");
  }

  @Tag("full")
  @Test
  @DisplayName("may have patterns of 100,000 characters")
  void length() {
    assertThat(accept(file("a".repeat(100_000))).account().guardrails()).hasSize(1);
    assertThat(TestConfigs.problems(file("a".repeat(100_001)))).hasSize(1);
  }
}
