package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The time a destination asks to wait")
class DestinationSenderTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|PT0S",
        " 40 |PT40S",
        "999999999|PT24H",
        "Sat, 21 Nov 2026 12:00:30 GMT|PT30S",
        "Sat, 21 Nov 2026 11:59:00 GMT|PT0S",
        "Fri, 31 Dec 9999 23:59:59 GMT|PT24H",
        "9999999999|",
        "-1|",
        "soon|",
      })
  @DisplayName("is read from Retry-After, in seconds or as a date, and is at most a day")
  void retryAfter(String header, Duration expected) {
    assertThat(DestinationSender.retryAfter(header, NOW)).isEqualTo(expected);
  }
}
