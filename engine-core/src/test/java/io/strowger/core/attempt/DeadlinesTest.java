package io.strowger.core.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The deadlines of a request")
class DeadlinesTest {
  private static final Deadlines DEADLINES =
      new Deadlines(Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofSeconds(100));

  @ParameterizedTest(name = "{0} ms, usual {1} ms, streaming {2}: {3}")
  @CsvSource({
    // the endpoint's median time is 900 ms
    "899, 900, true, false",
    "900, 900, true, true",
    "901, 900, true, true",
    // the median exceeds the limit of an attempt: 20 s for a stream, else a quarter of the total
    "19999, 30000, true, false",
    "20000, 30000, true, true",
    "23999, 24000, false, false",
    "24000, 24000, false, true",
    "25000, 60000, false, true",
    "24999, 60000, false, false",
    // the median is unknown: a tenth of those limits
    "1999, -1, true, false",
    "2000, -1, true, true",
    "2499, -1, false, false",
    "2500, -1, false, true",
    "-1, 0, true, false",
    "0, 0, true, true",
  })
  @DisplayName("allow another attempt if the time left is at least what the endpoint usually needs")
  void worth(long leftMillis, long usualMillis, boolean streaming, boolean allowed) {
    long usualMicros = usualMillis < 0 ? -1 : usualMillis * 1000;
    assertThat(DEADLINES.allowsAnotherAttempt(leftMillis * 1_000_000, usualMicros, streaming))
        .isEqualTo(allowed);
  }

  @ParameterizedTest(name = "stream {0} s, total {1} s: without streaming {2} s")
  @CsvSource({"20, 100, 25", "25, 100, 25", "26, 100, 26", "60, 600, 150", "200, 100, 200"})
  @DisplayName(
      "allow an answer without streaming a quarter of the total, but at least the time of a stream")
  void firstContent(long streamingSeconds, long total, long plainSeconds) {
    var deadlines =
        new Deadlines(
            Duration.ofSeconds(streamingSeconds), Duration.ofSeconds(5), Duration.ofSeconds(total));
    assertThat(deadlines.firstContent(false)).hasSeconds(plainSeconds);
    assertThat(deadlines.firstContent(true)).hasSeconds(streamingSeconds);
  }
}
