package io.strowger.core.config;

import static io.strowger.core.config.ConfigWords.accepted;
import static io.strowger.core.config.ConfigWords.minimal;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The filters of a guardrail in the file")
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
  @DisplayName("have patterns that can be used, or the place of the problem is named")
  void refused(String pattern, String problem) {
    assertThat(ConfigWords.problems(file(pattern)))
        .singleElement()
        .asString()
        .startsWith("/account/guardrails/0/content_filters/1/pattern: " + problem + ", was ");
  }

  @Tag("full")
  @Test
  @DisplayName("may have patterns of 100,000 characters")
  void length() {
    assertThat(accepted(file("a".repeat(100_000))).account().guardrails()).hasSize(1);
    assertThat(ConfigWords.problems(file("a".repeat(100_001)))).hasSize(1);
  }
}
