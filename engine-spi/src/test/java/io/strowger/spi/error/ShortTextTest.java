package io.strowger.spi.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A text that is shortened")
class ShortTextTest {
  private static final String PAIR = "\uD83D\uDE00";

  @ParameterizedTest
  @CsvSource({"abc, 3, abc, abc", "abc, 4, abc, abc", "abc, 2, ab, ab...", "abc, 0, '', ..."})
  @DisplayName("has so many characters of its beginning, and dots where they are asked for")
  void beginning(String text, int most, String beginning, String withDots) {
    assertThat(ShortText.beginning(text, most)).isEqualTo(beginning);
    assertThat(ShortText.withEllipsis(text, most)).isEqualTo(withDots);
  }

  @Test
  @DisplayName("loses a surrogate pair as a whole")
  void pairs() {
    assertThat(ShortText.beginning("a" + PAIR, 2)).isEqualTo("a");
    assertThat(ShortText.withEllipsis("a" + PAIR, 2)).isEqualTo("a...");
    assertThat(ShortText.beginning("a" + PAIR, 3)).isEqualTo("a" + PAIR);
    assertThat(ShortText.beginning(PAIR + PAIR, 2)).isEqualTo(PAIR);
    assertThat(ShortText.beginning(PAIR, 1)).isEmpty();
  }
}
