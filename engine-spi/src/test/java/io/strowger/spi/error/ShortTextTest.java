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
  @DisplayName(
      "has at most this many characters of its beginning, and an ellipsis where that is wanted:")
  void beginning(String text, int max, String beginning, String withEllipsis) {
    assertThat(ShortText.beginning(text, max)).isEqualTo(beginning);
    assertThat(ShortText.withEllipsis(text, max)).isEqualTo(withEllipsis);
  }

  @Test
  @DisplayName("is never cut within a surrogate pair")
  void pairs() {
    assertThat(ShortText.beginning("a" + PAIR, 2)).isEqualTo("a");
    assertThat(ShortText.withEllipsis("a" + PAIR, 2)).isEqualTo("a...");
    assertThat(ShortText.beginning("a" + PAIR, 3)).isEqualTo("a" + PAIR);
    assertThat(ShortText.beginning(PAIR + PAIR, 2)).isEqualTo(PAIR);
    assertThat(ShortText.beginning(PAIR, 1)).isEmpty();
  }
}
